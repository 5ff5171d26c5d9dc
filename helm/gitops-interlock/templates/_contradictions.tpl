{{/* Values that cannot be meant: rendering stops at the first, and says what to change. */}}
{{- define "gitops-interlock.contradictions" -}}
{{- $jobs := .Values.jobs -}}
{{- $replacement := .Values.replacement -}}
{{- $gate := .Values.machineConfigs -}}
{{- $certificates := .Values.certificates -}}
{{- $policy := .Values.networkPolicy -}}

{{- if not .Values.image.repository -}}
{{- fail "image.repository is empty, and the chart knows no image: push the image to your registry (docs/image.md), and set image.repository to where it is" -}}
{{- end -}}
{{- with .Values.global.imageRegistry | default .Values.image.registry -}}
{{- $first := splitList "/" $.Values.image.repository | first -}}
{{- if or (contains "." $first) (contains ":" $first) -}}
{{- fail (printf "image.repository begins with the registry %s, and image.registry or global.imageRegistry says %s: leave one out" $first .) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "app.kubernetes.io/name" "app.kubernetes.io/instance" -}}
{{- if hasKey $.Values.podLabels $name -}}
{{- fail (printf "podLabels has %s, by which the Deployment and the Service find the Pods: remove it" $name) -}}
{{- end -}}
{{- end -}}
{{- if not (or $jobs.enabled $gate.enabled .Values.hub.enabled (include "gitops-interlock.kinds" . | fromYaml)) -}}
{{- fail "jobs.enabled, machineConfigs.enabled and hub.enabled are false, and so are all kinds, so nothing would be done: enable one, or uninstall" -}}
{{- end -}}
{{- if and (include "gitops-interlock.replacesByDefault" .) (not $replacement.enabled) -}}
{{- fail (printf "jobs.onImmutableChange is %s, and replacement.enabled is false, so nothing would be carried out or tried: set replacement.enabled to true, or jobs.onImmutableChange to Reject, Warn or Ignore" $jobs.onImmutableChange) -}}
{{- end -}}
{{- if include "gitops-interlock.replaces" . -}}
{{- if not (include "gitops-interlock.authenticates" .) -}}
{{- fail "replacement.enabled is true, and nothing proves that the API server is the caller, so any Pod could have Jobs made in anybody's name: set callerToken, or clientCertificates.ca and clientCertificates.names, or certificates.mode to selfManaged" -}}
{{- end -}}
{{- if not (or $jobs.allowOverrides (include "gitops-interlock.replacesByDefault" .)) -}}
{{- fail "replacement.enabled is true, and no policy ever asks for it: set jobs.onImmutableChange to Preview, Replace or GenerateName, or jobs.allowOverrides to true" -}}
{{- end -}}
{{- if lt (int $jobs.timeoutSeconds) 5 -}}
{{- fail "jobs.timeoutSeconds is below 5, which leaves no time to carry an edit out: raise it, or set replacement.enabled to false" -}}
{{- end -}}
{{- if and $replacement.allowJobAnnotations (not $jobs.allowOverrides) -}}
{{- fail "replacement.allowJobAnnotations is true, and jobs.allowOverrides is false, so no annotation counts: set jobs.allowOverrides to true, or remove replacement.allowJobAnnotations" -}}
{{- end -}}
{{- range $replacement.namespaces -}}
{{- if has . (concat (list "kube-system" $.Release.Namespace) $jobs.exemptNamespaces) -}}
{{- fail (printf "replacement.namespaces names %s, whose Jobs are exempt: remove it" .) -}}
{{- end -}}
{{- end -}}
{{- else if $jobs.enabled -}}
{{- range $name, $set := dict "replacement.namespaces" $replacement.namespaces "replacement.allowJobAnnotations" $replacement.allowJobAnnotations -}}
{{- if $set -}}
{{- fail (printf "%s is given, and replacement.enabled is false, so nothing is carried out anywhere: set replacement.enabled to true, or remove %s" $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $jobs.enabled (eq $jobs.whenActive "Replace") (or (not $replacement.enabled) (and (not $jobs.allowOverrides) (not (has $jobs.onImmutableChange (list "Preview" "Replace"))))) -}}
{{- fail "jobs.whenActive is Replace, and nothing is ever replaced: set replacement.enabled to true, and either jobs.onImmutableChange to Replace or jobs.allowOverrides to true; or set jobs.whenActive to Reject" -}}
{{- end -}}

{{- if .Values.replacement.statefulSets -}}
{{- if not .Values.kinds.StatefulSet -}}
{{- fail "replacement.statefulSets is true, and kinds.StatefulSet is false, so nobody asks about StatefulSets: set kinds.StatefulSet to true, or replacement.statefulSets to false" -}}
{{- end -}}
{{- if not (include "gitops-interlock.replaces" .) -}}
{{- fail "replacement.statefulSets is true, and replacement.enabled is false, with which edits are carried out at all: set replacement.enabled to true, or replacement.statefulSets to false" -}}
{{- end -}}
{{- if not $jobs.allowOverrides -}}
{{- fail "replacement.statefulSets is true, and jobs.allowOverrides is false, so no annotation can ask for it: set jobs.allowOverrides to true, or replacement.statefulSets to false" -}}
{{- end -}}
{{- if lt (int $jobs.timeoutSeconds) 8 -}}
{{- fail "jobs.timeoutSeconds is below 8, which leaves no time to replace a StatefulSet: raise it, or set replacement.statefulSets to false" -}}
{{- end -}}
{{- end -}}

{{- if .Values.additionalCallerToken -}}
{{- if not .Values.callerToken -}}
{{- fail "additionalCallerToken is given without callerToken: set callerToken, which the webhook configurations use" -}}
{{- end -}}
{{- if eq .Values.additionalCallerToken .Values.callerToken -}}
{{- fail "callerToken and additionalCallerToken are the same: draw another one, or remove additionalCallerToken" -}}
{{- end -}}
{{- end -}}
{{- $hasToken := or .Values.callerToken (include "gitops-interlock.rotatesToken" .) -}}
{{- if and .Values.callerToken (include "gitops-interlock.rotatesToken" .) -}}
{{- fail "callerToken is given, and certificates.mode is selfManaged, which makes a token of its own: remove callerToken, or set certificates.selfManaged.callerToken to false" -}}
{{- end -}}
{{- /* the token alone must not be worth anything to those who read it */ -}}
{{- $tokenIsEnough := and (include "gitops-interlock.replaces" .) (not .Values.clientCertificates.ca) -}}
{{- if and $hasToken $tokenIsEnough .Values.acceptReadableCallerToken (or (eq $jobs.failurePolicy "Fail") (and $gate.enabled (eq $gate.failurePolicy "Fail"))) -}}
{{- fail "replacement.enabled is true, failurePolicy is Fail, and a caller token is the only proof: users who read it could have Jobs made in the name of others. Use clientCertificates as well, or failurePolicy Ignore" -}}
{{- end -}}
{{- if and $hasToken (not .Values.acceptReadableCallerToken) -}}
{{- range $name, $webhook := dict "jobs" $jobs "machineConfigs" $gate -}}
{{- if and $webhook.enabled (eq $webhook.failurePolicy "Fail") -}}
{{- if $.Values.callerToken -}}
{{- fail (printf "%s.failurePolicy is Fail, and callerToken is set: while no Pod answers, users can read the token in their error. Remove callerToken (with clientCertificates, if edits are carried out), or set failurePolicy to Ignore, or accept it with acceptReadableCallerToken" $name) -}}
{{- end -}}
{{- fail (printf "%s.failurePolicy is Fail, and certificates.selfManaged.callerToken is true: while no Pod answers, users can read the token in their error. Set it to false (with clientCertificates, if edits are carried out), or set failurePolicy to Ignore, or accept it with acceptReadableCallerToken" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- with .Values.clientCertificates -}}
{{- if and .ca (not .names) -}}
{{- fail "clientCertificates.ca is given without clientCertificates.names, and a CA signs certificates for many clients: set clientCertificates.names to the common names to accept" -}}
{{- end -}}
{{- if and .names (not .ca) -}}
{{- fail "clientCertificates.names is given without clientCertificates.ca, so any client would be accepted: set clientCertificates.ca, or remove clientCertificates.names" -}}
{{- end -}}
{{- end -}}

{{- if and $gate.enabled (eq $gate.syncHold "Observe") (eq $gate.failurePolicy "Fail") -}}
{{- fail "machineConfigs.syncHold is Observe, so that no rollout waits, and machineConfigs.failurePolicy is Fail, so that all wait while no Pod answers: set failurePolicy to Ignore" -}}
{{- end -}}

{{- if and $jobs.enabled $jobs.holdRestartsOfCronJobs (not $jobs.allowOverrides) (ne (toString $jobs.holdRestarts) "true") -}}
{{- fail "jobs.holdRestartsOfCronJobs is true, and no policy ever asks for it: set jobs.holdRestarts or jobs.allowOverrides to true" -}}
{{- end -}}

{{- range $maker := list "upgradePlans" "inPlaceNodePools" -}}
{{- if and (get $.Values $maker).enabled (not $gate.enabled) -}}
{{- fail (printf "%s.enabled is true, and machineConfigs.enabled is false, with which nothing waits for syncs: set machineConfigs.enabled to true, which costs nothing without OpenShift, or %s.enabled to false" $maker $maker) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.inPlaceNodePools.enabled (not (include "gitops-interlock.authenticates" .)) -}}
{{- fail "inPlaceNodePools.enabled is true, and nothing proves that the API server is the caller, without which nothing limits how long a NodePool waits: set callerToken, or clientCertificates.ca and clientCertificates.names, or certificates.mode to selfManaged" -}}
{{- end -}}

{{- range $name, $longest := include "gitops-interlock.longest" . | fromYaml -}}
{{- $given := $.Values -}}
{{- range splitList "." $name -}}
{{- $given = get $given . -}}
{{- end -}}
{{- if gt (int64 (include "gitops-interlock.milliseconds" $given)) (int64 (include "gitops-interlock.milliseconds" $longest)) -}}
{{- fail (printf "%s is %s, at most %s is allowed" $name $given $longest) -}}
{{- end -}}
{{- end -}}

{{- if eq $certificates.mode "existingSecret" -}}
{{- if not $certificates.existingSecret.name -}}
{{- fail "certificates.mode is existingSecret: name the Secret in certificates.existingSecret.name" -}}
{{- end -}}
{{- if not (or $certificates.existingSecret.caBundle $certificates.existingSecret.annotations) -}}
{{- fail "certificates.mode is existingSecret: the API server has to know which CA to trust, so set certificates.existingSecret.caBundle, or certificates.existingSecret.annotations for the tool that fills it in" -}}
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
{{- if include "gitops-interlock.selfManaged" . -}}
{{- if lt (int64 (include "gitops-interlock.milliseconds" $certificates.selfManaged.overlap)) (mul 3 (int64 (include "gitops-interlock.milliseconds" $certificates.pollInterval))) -}}
{{- fail "certificates.selfManaged.overlap has to be at least 3 times certificates.pollInterval, or Pods learn of a new CA or token too late" -}}
{{- end -}}
{{- $relations := list (list "caDuration" 3 "duration") (list "duration" 6 "overlap") -}}
{{- if $certificates.selfManaged.callerToken -}}
{{- $relations = append $relations (list "callerTokenInterval" 2 "overlap") -}}
{{- end -}}
{{- range $times := $relations -}}
{{- $longer := int64 (include "gitops-interlock.milliseconds" (get $certificates.selfManaged (index $times 0))) -}}
{{- $shorter := int64 (include "gitops-interlock.milliseconds" (get $certificates.selfManaged (index $times 2))) -}}
{{- if lt $longer (mul $shorter (index $times 1)) -}}
{{- fail (printf "certificates.selfManaged.%s has to be at least %d times certificates.selfManaged.%s, or Pods and API servers have no time to learn of a new CA or token" (index $times 0) (index $times 1) (index $times 2)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- if and $jobs.enabled (has .Values.test.namespace (append $jobs.exemptNamespaces "kube-system")) -}}
{{- fail (printf "test.namespace is %s, whose Jobs are exempt, so helm test would find nobody: choose another Namespace" .Values.test.namespace) -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- fail "serviceAccount.create is false, and serviceAccount.name is empty: name the ServiceAccount that is there" -}}
{{- end -}}
{{- if and .Values.hostNetwork (eq (int .Values.ports.webhook) 10250) -}}
{{- fail "hostNetwork is true, and ports.webhook is 10250, which the kubelet has on every Node: choose another port that your API servers reach" -}}
{{- end -}}
{{- if eq (int .Values.ports.webhook) (int .Values.ports.management) -}}
{{- fail "ports.webhook and ports.management are the same port: choose two" -}}
{{- end -}}
{{- $units := dict "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 -}}
{{- with toString .Values.resources.limits.memory | regexFind "^[0-9.]+([kMG]|[KMG]i)?$" -}}
{{- if lt (mulf (regexFind "^[0-9.]+" . | float64) (get $units (regexFind "[a-zA-Z]*$" .))) 134217728.0 -}}
{{- fail (printf "resources.limits.memory is %s, too little to start: the kernel ends the Pod before it logs anything. Set 128Mi or more" .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.podDisruptionBudget.enabled (gt (int .Values.replicaCount) 1) (ge (int .Values.podDisruptionBudget.maxUnavailable) (int .Values.replicaCount)) -}}
{{- fail "podDisruptionBudget.maxUnavailable lets all replicas go at once: choose fewer than replicaCount" -}}
{{- end -}}
{{- if $policy.enabled -}}
{{- if .Values.hostNetwork -}}
{{- fail "networkPolicy.enabled and hostNetwork are both true, and a NetworkPolicy does not apply to Pods on the network of their Node: set one of them to false" -}}
{{- end -}}
{{- if not (or $policy.apiServers $policy.ingressFrom) -}}
{{- fail "networkPolicy.enabled needs networkPolicy.apiServers or networkPolicy.ingressFrom, or no API server can reach the Pods: set one of them to where API servers call from" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not $policy.metricsNamespaces) -}}
{{- fail "serviceMonitor.enabled with networkPolicy.enabled: name the Namespace of Prometheus in networkPolicy.metricsNamespaces, or it reads nothing" -}}
{{- end -}}
{{- else if or $policy.apiServers $policy.ingressFrom $policy.metricsNamespaces -}}
{{- fail "networkPolicy has addresses, peers or Namespaces, and networkPolicy.enabled is false: enable it, or take them away" -}}
{{- end -}}
{{- end -}}
