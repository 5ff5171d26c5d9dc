{{/* What follows from the values; each is "true" or empty. */}}

{{- define "gitops-interlock.jobAdvice" -}}
{{- if and .Values.jobs.enabled .Values.jobs.advice.enabled }}true{{ end -}}
{{- end -}}

{{- define "gitops-interlock.machineConfigAdvice" -}}
{{- if and .Values.machineConfigs.enabled .Values.machineConfigs.advice.enabled }}true{{ end -}}
{{- end -}}

{{/* Whether API servers ask about Jobs that CronJobs make: only where a policy can label them. */}}
{{- define "gitops-interlock.labelsJobsOfCronJobs" -}}
{{- if and .Values.jobs.enabled (or .Values.jobs.holdRestartsOfCronJobs (eq (toString .Values.jobs.holdRestarts) "true")) }}true{{ end -}}
{{- end -}}

{{/* Whether the policy of the cluster carries edits out, wherever nobody says otherwise. */}}
{{- define "gitops-interlock.replacesByDefault" -}}
{{- if and .Values.jobs.enabled (has .Values.jobs.onImmutableChange (list "Preview" "Replace" "GenerateName")) }}true{{ end -}}
{{- end -}}

{{/* Whether any edit can be carried out. */}}
{{- define "gitops-interlock.replaces" -}}
{{- if and .Values.jobs.enabled .Values.replacement.enabled }}true{{ end -}}
{{- end -}}

{{/* Whether edits of StatefulSets are, too. */}}
{{- define "gitops-interlock.replacesStatefulSets" -}}
{{- if and (include "gitops-interlock.replaces" .) .Values.replacement.statefulSets }}true{{ end -}}
{{- end -}}

{{/* Whether that is done in the name of requesters: what Auto means follows from the cluster's version. */}}
{{- define "gitops-interlock.impersonates" -}}
{{- $auto := and (eq .Values.replacement.as "Auto") (semverCompare ">=1.36.0-0" .Capabilities.KubeVersion.Version) -}}
{{- if and (include "gitops-interlock.replaces" .) (or $auto (eq .Values.replacement.as "Requester")) }}true{{ end -}}
{{- end -}}

{{/* Whether the service makes its certificate itself, with the CA. */}}
{{- define "gitops-interlock.selfManaged" -}}
{{- if eq .Values.certificates.mode "selfManaged" }}true{{ end -}}
{{- end -}}

{{/* Whether the Pod has volumes. */}}
{{- define "gitops-interlock.hasVolumes" -}}
{{- if or .Values.clientCertificates.ca .Values.hub.enabled .Values.extraVolumes (not (include "gitops-interlock.selfManaged" .)) }}true{{ end -}}
{{- end -}}

{{/* Whether it makes caller tokens, too, and writes them into the webhook configurations. */}}
{{- define "gitops-interlock.rotatesToken" -}}
{{- if and (include "gitops-interlock.selfManaged" .) .Values.certificates.selfManaged.callerToken }}true{{ end -}}
{{- end -}}

{{/* Whether API servers can prove that they are the ones who call. */}}
{{- define "gitops-interlock.authenticates" -}}
{{- if or .Values.callerToken (include "gitops-interlock.rotatesToken" .) .Values.clientCertificates.ca }}true{{ end -}}
{{- end -}}

{{/* Whether a refused edit is told on its object: only for a proven caller. */}}
{{- define "gitops-interlock.emitsDenialEvents" -}}
{{- if and .Values.jobs.enabled .Values.events.refusedEdits (include "gitops-interlock.authenticates" .) }}true{{ end -}}
{{- end -}}

{{/* Whether Events are written: about a Job that nobody has seen yet only for a proven caller. */}}
{{- define "gitops-interlock.writesEvents" -}}
{{- $ofAdvice := and (include "gitops-interlock.jobAdvice" .) (include "gitops-interlock.authenticates" .) -}}
{{- if or (include "gitops-interlock.replaces" .) $ofAdvice (include "gitops-interlock.emitsDenialEvents" .) .Values.machineConfigs.enabled }}true{{ end -}}
{{- end -}}

{{/* A duration such as 500ms, 10s, 20m or 1h in milliseconds. */}}
{{- define "gitops-interlock.milliseconds" -}}
{{- $unit := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 -}}
{{- mul (regexFind "^[0-9]+" .) (get $unit (regexFind "[a-z]+$" .)) -}}
{{- end -}}
