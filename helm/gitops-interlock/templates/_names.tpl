{{/* Room is left for -webhook and zz- within 63 characters. */}}
{{- define "gitops-interlock.fullname" -}}
{{- $name := .Release.Name -}}
{{- if .Values.fullnameOverride -}}
{{- $name = .Values.fullnameOverride -}}
{{- else if not (contains .Chart.Name $name) -}}
{{- $name = printf "%s-%s" $name .Chart.Name -}}
{{- end -}}
{{- $name | trunc 48 | trimSuffix "-" -}}
{{- end -}}

{{- define "gitops-interlock.tlsSecret" -}}
{{- if eq .Values.certificates.mode "existingSecret" -}}
{{- .Values.certificates.existingSecret.name -}}
{{- else -}}
{{- include "gitops-interlock.fullname" . }}-tls
{{- end -}}
{{- end -}}

{{/* Where a self-managed certificate is kept, with its CA and its tokens. */}}
{{- define "gitops-interlock.trustSecret" -}}
{{- include "gitops-interlock.fullname" . }}-trust
{{- end -}}

{{- define "gitops-interlock.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "gitops-interlock.fullname" .) -}}
{{- end -}}

{{/* Never changes: a Deployment's selector cannot. */}}
{{- define "gitops-interlock.selectorLabels" -}}
app.kubernetes.io/name: gitops-interlock
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gitops-interlock.labels" -}}
{{ include "gitops-interlock.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "gitops-interlock.image" -}}
{{- with .Values.global.imageRegistry | default .Values.image.registry -}}
{{- trimSuffix "/" . }}/{{ end -}}
{{- .Values.image.repository -}}
{{- if .Values.image.digest -}}
@{{ .Values.image.digest }}
{{- else -}}
:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* A field of a Pod, on lines of its own; nothing where there are none. */}}
{{- define "gitops-interlock.pullSecrets" -}}
{{- with concat .Values.global.imagePullSecrets .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ kindIs "map" . | ternary . (dict "name" .) | dig "name" "" }}
  {{- end }}
{{- end }}
{{- end -}}
