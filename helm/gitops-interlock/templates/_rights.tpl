{{/* What is on, by the names of rights.json. */}}
{{- define "gitops-interlock.features" -}}
{{- $overrides := and .Values.jobs.enabled .Values.jobs.allowOverrides -}}
{{- $replaces := include "gitops-interlock.replaces" . -}}
{{- $asRequester := include "gitops-interlock.impersonates" . -}}
{{- dict
  "overrides" $overrides
  "noOverrides" (not $overrides)
  "gate" .Values.machineConfigs.enabled
  "applications" (or .Values.machineConfigs.enabled .Values.hub.enabled)
  "upgradePlans" .Values.upgradePlans.enabled
  "inPlaceNodePools" .Values.inPlaceNodePools.enabled
  "kustomizations" .Values.machineConfigs.holdForKustomizations
  "applicationSets" .Values.machineConfigs.holdForApplicationSets
  "sourceNamespaces" .Values.argoCd.sourceNamespaces
  "leases" .Values.machineConfigs.leaseNamespaces
  "nodeDisruption" .Values.machineConfigs.honorNodeDisruptionPolicy
  "markedJobs" .Values.machineConfigs.holdForJobs
  "events" (include "gitops-interlock.writesEvents" .)
  "refusals" (include "gitops-interlock.emitsDenialEvents" .)
  "replaces" $replaces
  "asRequester" $asRequester
  "asServiceAccount" (and $replaces (not $asRequester))
  "statefulSets" (include "gitops-interlock.replacesStatefulSets" .) | toJson -}}
{{- end -}}

{{/* The rules of a role in rights.json, which `doctor` reads, too. */}}
{{- define "gitops-interlock.rules" -}}
{{- $chart := first . -}}
{{- $role := last . -}}
{{- $on := include "gitops-interlock.features" $chart | fromJson -}}
{{- range $chart.Files.Get "rights.json" | fromJsonArray -}}
{{- $isNeeded := eq .role $role -}}
{{- range .if -}}
{{- $isNeeded = and $isNeeded (get $on .) -}}
{{- end -}}
{{- if $isNeeded }}
  {{- with .why }}
  # {{ . }}
  {{- end }}
  - apiGroups: [{{ .group | default "\"\"" }}]
    resources: [{{ .resource | replace "*" "\"*\"" }}]
    {{- if eq (default "" .name) "own" }}
    resourceNames: [{{ $chart.Release.Namespace }}]
    {{- end }}
    verbs: [{{ join ", " .verbs }}]
{{- end }}
{{- end -}}
{{- end -}}
