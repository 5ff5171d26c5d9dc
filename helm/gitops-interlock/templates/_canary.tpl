{{/* The command line sends an edit of a Job that never runs, as a dry run, and looks for our words in the answer. */}}

{{- define "gitops-interlock.canaryName" -}}
{{- include "gitops-interlock.fullname" . }}-test
{{- end -}}

{{/* By these no Service finds its Pods. */}}
{{- define "gitops-interlock.canaryLabels" -}}
app.kubernetes.io/name: gitops-interlock-test
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "gitops-interlock.canaryPod" -}}
serviceAccountName: {{ include "gitops-interlock.canaryName" . }}
automountServiceAccountToken: true
enableServiceLinks: false
restartPolicy: Never
{{- include "gitops-interlock.pullSecrets" . }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: test
    image: {{ include "gitops-interlock.image" . | quote }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    command: [/usr/bin/gitops-interlock]
    args: [doctor, --only, canary, --canary-namespace, {{ .Values.test.namespace }}]
    # what it says is then in the Pod's status, too
    terminationMessagePolicy: FallbackToLogsOnError
    resources:
      requests:
        cpu: 100m
        memory: 128Mi
      limits:
        memory: 256Mi
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
{{- end -}}

{{/* What follows the Namespace of a hook; of root, hooks, weight and podLabels. */}}
{{- define "gitops-interlock.canaryMetadata" }}
  labels:
    {{- include "gitops-interlock.canaryLabels" .root | nindent 4 }}
    {{- with .podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    helm.sh/hook: {{ join "," .hooks }}
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
