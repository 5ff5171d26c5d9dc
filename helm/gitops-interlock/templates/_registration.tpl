{{/* Of both registrations: who tells the API server which CA to trust. */}}
{{- define "gitops-interlock.caAnnotations" -}}
{{- $certificates := .Values.certificates -}}
{{- if eq $certificates.mode "certManager" }}
annotations:
  cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "gitops-interlock.fullname" . }}-webhook
{{- else if eq $certificates.mode "openshiftServiceCa" }}
annotations:
  service.beta.openshift.io/inject-cabundle: "true"
{{- else if include "gitops-interlock.selfManaged" . }}
annotations:
  # without it no Pod writes here: an old one must not, once another mode is chosen
  gitops-interlock.dev/certificates: selfManaged
{{- else if $certificates.existingSecret.annotations }}
annotations:
  {{- toYaml $certificates.existingSecret.annotations | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
Takes the root context, the path, and whether a caller token is its last part. A caBundle is written in one mode only:
elsewhere it belongs to whoever injects it, and so does the path to a service that rotates its tokens itself.
*/}}
{{- define "gitops-interlock.clientConfig" -}}
{{- $root := index . 0 -}}
clientConfig:
  service:
    namespace: {{ $root.Release.Namespace }}
    name: {{ include "gitops-interlock.fullname" $root }}
    {{- if not (and (index . 2) (include "gitops-interlock.rotatesToken" $root)) }}
    path: {{ index . 1 }}{{ if index . 2 }}{{ include "gitops-interlock.token" $root }}{{ end }}
    {{- end }}
    port: 443
  {{- with $root.Values.certificates.existingSecret.caBundle }}
  caBundle: {{ b64enc . }}
  {{- end }}
{{- end -}}

{{/* Both, as far as there are any, each with its resource, as a JSON array. */}}
{{- define "gitops-interlock.webhookConfigurations" -}}
{{- $name := include "gitops-interlock.fullname" . -}}
{{- $configurations := list -}}
{{- if or .Values.jobs.enabled (include "gitops-interlock.kinds" . | fromYaml) -}}
{{- $configurations = append $configurations (printf "mutatingwebhookconfigurations/zz-%s" $name) -}}
{{- end -}}
{{- if or (include "gitops-interlock.jobAdvice" .) .Values.machineConfigs.enabled -}}
{{- $configurations = append $configurations (printf "validatingwebhookconfigurations/%s" $name) -}}
{{- end -}}
{{- toJson $configurations -}}
{{- end -}}

{{/* The last part of the paths by which API servers prove that they are the ones who call. */}}
{{- define "gitops-interlock.token" -}}
{{- with .Values.callerToken }}/{{ . }}{{ end -}}
{{- end -}}

{{/* Enforced by the service as well. */}}
{{- define "gitops-interlock.exemptNames" -}}
{{- concat (list "kube-system" .Release.Namespace) .Values.jobs.exemptNamespaces | uniq | join "," -}}
{{- end -}}

{{/* Which Jobs, and objects of other kinds, the API server asks about. The cluster's own Namespace and ours are exempt whatever the values say. */}}
{{- define "gitops-interlock.jobSelectors" -}}
namespaceSelector:
  {{- with .Values.jobs.namespaceSelector.matchLabels }}
  matchLabels:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  matchExpressions:
    - key: kubernetes.io/metadata.name
      operator: NotIn
      values:
        {{- range (include "gitops-interlock.exemptNames" . | splitList ",") }}
        - {{ . | quote }}
        {{- end }}
    {{- with .Values.jobs.namespaceSelector.matchExpressions }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- with .Values.jobs.objectSelector }}
objectSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
