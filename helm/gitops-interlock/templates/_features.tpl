{{/* What follows from the values; each is "true" or empty. */}}

{{- define "gitops-interlock.jobAdvice" -}}
{{- if and .Values.jobs.enabled .Values.jobs.advice.enabled }}true{{ end -}}
{{- end -}}

{{- define "gitops-interlock.machineConfigAdvice" -}}
{{- if and .Values.machineConfigs.enabled .Values.machineConfigs.advice.enabled }}true{{ end -}}
{{- end -}}

{{/* Whether the policy of the cluster carries edits out, wherever nobody says otherwise. */}}
{{- define "gitops-interlock.carriesOutByDefault" -}}
{{- if and .Values.jobs.enabled (has .Values.jobs.onImmutableChange (list "Replace" "GenerateName")) }}true{{ end -}}
{{- end -}}

{{/* Whether any edit can be carried out. */}}
{{- define "gitops-interlock.carriesOut" -}}
{{- $asked := or .Values.jobs.allowOverrides (include "gitops-interlock.carriesOutByDefault" .) -}}
{{- if and .Values.jobs.enabled .Values.jobs.carryOut $asked }}true{{ end -}}
{{- end -}}

{{/* A duration such as 500ms, 10s, 20m or 1h in milliseconds. */}}
{{- define "gitops-interlock.milliseconds" -}}
{{- $unit := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 -}}
{{- mul (regexFind "^[0-9]+" .) (get $unit (regexFind "[a-z]+$" .)) -}}
{{- end -}}
