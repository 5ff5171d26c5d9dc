{{/* Of both registrations: who tells the API server which CA to trust. */}}
{{- define "gitops-interlock.caAnnotations" -}}
{{- $certificates := .Values.certificates -}}
{{- if eq $certificates.mode "certManager" }}
annotations:
  cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "gitops-interlock.fullname" . }}-webhook
{{- else if eq $certificates.mode "openshiftServiceCa" }}
annotations:
  service.beta.openshift.io/inject-cabundle: "true"
{{- else if $certificates.existingSecret.annotations }}
annotations:
  {{- toYaml $certificates.existingSecret.annotations | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Takes the root context and the path. A caBundle is written in no other mode: it belongs to whoever injects it. */}}
{{- define "gitops-interlock.clientConfig" -}}
{{- $root := index . 0 -}}
clientConfig:
  service:
    namespace: {{ $root.Release.Namespace }}
    name: {{ include "gitops-interlock.fullname" $root }}
    path: {{ index . 1 }}
    port: 443
  {{- with $root.Values.certificates.existingSecret.caBundle }}
  caBundle: {{ b64enc . }}
  {{- end }}
{{- end -}}

{{/* The last part of the paths by which API servers prove that they are the ones who call. */}}
{{- define "gitops-interlock.token" -}}
{{- with .Values.callerToken }}/{{ . }}{{ end -}}
{{- end -}}

{{/* Enforced by the service as well. */}}
{{- define "gitops-interlock.exemptNames" -}}
{{- concat (list "kube-system" .Release.Namespace) .Values.jobs.exemptNamespaces | uniq | join "," -}}
{{- end -}}

{{/* The cluster's own Namespace and ours are exempt whatever the values say. */}}
{{- define "gitops-interlock.exemptNamespaces" -}}
namespaceSelector:
  matchExpressions:
    - key: kubernetes.io/metadata.name
      operator: NotIn
      values:
        {{- range (include "gitops-interlock.exemptNames" . | splitList ",") }}
        - {{ . | quote }}
        {{- end }}
{{- end -}}
