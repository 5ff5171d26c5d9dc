{{/* Values that cannot be meant: rendering stops at the first, and says what to change. */}}
{{- define "gitops-interlock.contradictions" -}}
{{- $jobs := .Values.jobs -}}
{{- $gate := .Values.machineConfigs -}}
{{- $certificates := .Values.certificates -}}
{{- $policy := .Values.networkPolicy -}}

{{- if not (or $jobs.enabled $gate.enabled) -}}
{{- fail "jobs.enabled and machineConfigs.enabled are both false, so nothing would be guarded: enable one, or uninstall" -}}
{{- end -}}
{{- if and (include "gitops-interlock.carriesOutByDefault" .) (not $jobs.carryOut) -}}
{{- fail (printf "jobs.onImmutableChange is %s, and jobs.carryOut is false, so every edit would be refused for lack of rights: choose Reject or Ignore, or set jobs.carryOut" $jobs.onImmutableChange) -}}
{{- end -}}
{{- if and $jobs.enabled (eq $jobs.whenActive "Replace") (not $jobs.allowOverrides) (ne $jobs.onImmutableChange "Replace") -}}
{{- fail "jobs.whenActive is Replace, and nothing is ever replaced: set jobs.onImmutableChange to Replace, or allow overrides" -}}
{{- end -}}
{{- if and (include "gitops-interlock.carriesOut" .) (lt (int $jobs.timeoutSeconds) 5) -}}
{{- fail "jobs.timeoutSeconds is below 5, which leaves no time to carry an edit out: raise it, or set jobs.carryOut to false" -}}
{{- end -}}

{{- with .Values.clientCertificates -}}
{{- if and .ca (not .names) -}}
{{- fail "clientCertificates.ca is given without clientCertificates.names, and a CA signs certificates of many: name whom to let in" -}}
{{- end -}}
{{- if and .names (not .ca) -}}
{{- fail "clientCertificates.names is given without clientCertificates.ca, so anybody would be let in: give the CA, or take the names away" -}}
{{- end -}}
{{- end -}}

{{- $durations := dict
  "jobs.replaceSettle" (list $jobs.replaceSettle "5s")
  "jobs.afterCareInterval" (list $jobs.afterCareInterval "1h")
  "machineConfigs.maxHold" (list $gate.maxHold "1h")
  "machineConfigs.maxHoldRequiredPools" (list $gate.maxHoldRequiredPools "1h")
  "machineConfigs.maxSyncAge" (list $gate.maxSyncAge "24h")
  "certificates.pollInterval" (list $certificates.pollInterval "1h")
  "limits.bodyDeadline" (list .Values.limits.bodyDeadline "1h") -}}
{{- range $name, $pair := $durations -}}
{{- if gt (int64 (include "gitops-interlock.milliseconds" (first $pair))) (int64 (include "gitops-interlock.milliseconds" (last $pair))) -}}
{{- fail (printf "%s is %s, at most %s is allowed" $name (first $pair) (last $pair)) -}}
{{- end -}}
{{- end -}}

{{- if eq $certificates.mode "existingSecret" -}}
{{- if not $certificates.existingSecret.name -}}
{{- fail "certificates.mode is existingSecret: name the Secret in certificates.existingSecret.name" -}}
{{- end -}}
{{- if not (or $certificates.existingSecret.caBundle $certificates.existingSecret.annotations) -}}
{{- fail "certificates.mode is existingSecret: the API server has to know whom to trust, so give certificates.existingSecret.caBundle, or annotations for whoever fills it in" -}}
{{- end -}}
{{- if and $certificates.existingSecret.caBundle $certificates.existingSecret.annotations -}}
{{- fail "certificates.existingSecret has caBundle and annotations, and two would write one field: choose one" -}}
{{- end -}}
{{- else if or $certificates.existingSecret.name $certificates.existingSecret.caBundle $certificates.existingSecret.annotations -}}
{{- fail (printf "certificates.existingSecret is given, and certificates.mode is %s: set the mode to existingSecret, or take the values away" $certificates.mode) -}}
{{- end -}}
{{- if and $certificates.certManager.issuerRef.name (ne $certificates.mode "certManager") -}}
{{- fail (printf "certificates.certManager.issuerRef is given, and certificates.mode is %s: set the mode to certManager, or take the name away" $certificates.mode) -}}
{{- end -}}
{{- if ge (int64 (include "gitops-interlock.milliseconds" $certificates.certManager.renewBefore)) (int64 (include "gitops-interlock.milliseconds" $certificates.certManager.duration)) -}}
{{- fail "certificates.certManager.renewBefore has to be shorter than certificates.certManager.duration" -}}
{{- end -}}

{{- if eq (int .Values.ports.webhook) (int .Values.ports.management) -}}
{{- fail "ports.webhook and ports.management are the same port: choose two" -}}
{{- end -}}
{{- if and .Values.podDisruptionBudget.enabled (gt (int .Values.replicas) 1) (ge (int .Values.podDisruptionBudget.maxUnavailable) (int .Values.replicas)) -}}
{{- fail "podDisruptionBudget.maxUnavailable lets all replicas go at once: choose fewer than replicas" -}}
{{- end -}}
{{- if $policy.enabled -}}
{{- if .Values.hostNetwork -}}
{{- fail "networkPolicy does not hold for Pods with hostNetwork: switch one of them off" -}}
{{- end -}}
{{- if not $policy.apiServers -}}
{{- fail "networkPolicy.enabled needs networkPolicy.apiServers, or nobody could ask: give their addresses as CIDRs" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not $policy.metricsNamespaces) -}}
{{- fail "serviceMonitor.enabled with networkPolicy.enabled: name the Namespace of Prometheus in networkPolicy.metricsNamespaces, or it reads nothing" -}}
{{- end -}}
{{- else if or $policy.apiServers $policy.metricsNamespaces -}}
{{- fail "networkPolicy has addresses or Namespaces, and networkPolicy.enabled is false: enable it, or take them away" -}}
{{- end -}}
{{- end -}}
