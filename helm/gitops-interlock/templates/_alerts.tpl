{{/* What the alerts are made of; docs/monitoring.md explains them. */}}

{{/* Our webhooks, in the API server's metrics. */}}
{{- define "gitops-interlock.ourWebhooks" -}}
name=~".+[.]gitops-interlock[.]dev"
{{- end -}}

{{/* Whether anything is refused while nobody answers: "critical" then, because people cannot work; else "warning". */}}
{{- define "gitops-interlock.outageSeverity" -}}
{{- $jobs := and .Values.jobs.enabled (eq .Values.jobs.failurePolicy "Fail") -}}
{{- $rollouts := and .Values.machineConfigs.enabled (eq .Values.machineConfigs.failurePolicy "Fail") -}}
{{- if or $jobs $rollouts }}critical{{ else }}warning{{ end -}}
{{- end -}}

{{/* The address of an alert's page. Takes the root context and the alert's name. */}}
{{- define "gitops-interlock.runbook" -}}
{{- $root := first . -}}
{{- $alert := last . -}}
{{- $address := $root.Values.prometheusRule.runbooks | default (printf "http://%s.%s.svc:9000/guidance" (include "gitops-interlock.fullname" $root) $root.Release.Namespace) -}}
{{- if contains "{alert}" $address -}}
{{- replace "{alert}" $alert $address -}}
{{- else -}}
{{- trimSuffix "/" $address }}/{{ $alert -}}
{{- end -}}
{{- end -}}

{{/* Calls of the API server. Takes the window. */}}
{{- define "gitops-interlock.calls" -}}
apiserver_admission_webhook_admission_duration_seconds_count{ {{- include "gitops-interlock.ourWebhooks" . -}} }[{{ . }}]
{{- end -}}

{{/* How near its end a certificate may come: a day, or half of the time in which it should have been renewed, if that is shorter. */}}
{{- define "gitops-interlock.lastSeconds" -}}
{{- $lead := 172800 -}}
{{- with .Values.certificates -}}
{{- if eq .mode "certManager" -}}
{{- $lead = div (include "gitops-interlock.milliseconds" .certManager.renewBefore) 1000 -}}
{{- else if eq .mode "selfManaged" -}}
{{- $lead = div (include "gitops-interlock.milliseconds" .selfManaged.duration) 3000 -}}
{{- end -}}
{{- end -}}
{{- min 86400 (div $lead 2) -}}
{{- end -}}
