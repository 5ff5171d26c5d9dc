{{/* The service's settings as environment variables; docs/configuration.md has their properties. */}}
{{- define "gitops-interlock.settings" -}}
{{- $settings := list -}}
{{- with .Values.jobs -}}
{{- if .enabled -}}
{{- $settings = concat $settings (list
  (list "JOBS_ON_IMMUTABLE_CHANGE" .onImmutableChange)
  (list "JOBS_WHEN_ACTIVE" .whenActive)
  (list "JOBS_GENERATE_NAME" .generateName)
  (list "JOBS_HOLD_RESTARTS" .holdRestarts)
  (list "JOBS_DO_NOT_DISRUPT" .doNotDisrupt)
  (list "JOBS_ALLOW_OVERRIDES" .allowOverrides)
  (list "JOBS_EXEMPT_NAMESPACES" (include "gitops-interlock.exemptNames" $))) -}}
{{- with $.Values.replacement -}}
{{- $settings = concat $settings (list
  (list "REPLACEMENT_ENABLED" .enabled)
  (list "REPLACEMENT_AS" .as)
  (list "REPLACEMENT_STATEFUL_SETS" .statefulSets)
  (list "REPLACEMENT_ALLOW_JOB_ANNOTATIONS" .allowJobAnnotations)
  (list "REPLACEMENT_RECREATE_DELAY" .recreateDelay)
  (list "REPLACEMENT_START_CHECK_INTERVAL" .startCheckInterval)
  (list "REPLACEMENT_CONCURRENT" (int .concurrent))) -}}
{{- with .namespaces -}}
{{- $settings = append $settings (list "REPLACEMENT_NAMESPACES" (join "," .)) -}}
{{- end -}}
{{- end -}}
{{- if ne (toString .ttlSecondsAfterFinished) "" -}}
{{- /* a number from a file is a float, which prints as 1e+06 */ -}}
{{- $ttl := int64 .ttlSecondsAfterFinished -}}
{{- $settings = append $settings (list "JOBS_TTL_SECONDS_AFTER_FINISHED" $ttl) -}}
{{- end -}}
{{- else -}}
{{- /* nobody asks about Jobs: no watch on Namespaces either */ -}}
{{- $settings = concat $settings (list (list "JOBS_ON_IMMUTABLE_CHANGE" "Ignore") (list "JOBS_ALLOW_OVERRIDES" false)) -}}
{{- end -}}
{{- end -}}
{{- $syncs := list
  (list "MACHINE_CONFIGS_MAX_SYNC_AGE" .Values.machineConfigs.maxSyncAge)
  (list "ARGO_CD_NAMESPACES" (join "," .Values.argoCd.namespaces))
  (list "ARGO_CD_SOURCE_NAMESPACES" .Values.argoCd.sourceNamespaces)
  (list "ARGO_CD_PROJECTS" (join "," .Values.argoCd.projects)) -}}
{{- with .Values.machineConfigs -}}
{{- $settings = append $settings (list "MACHINE_CONFIGS_SYNC_HOLD" (ternary .syncHold "Disabled" .enabled)) -}}
{{- if .enabled -}}
{{- $settings = concat $settings (list
  (list "MACHINE_CONFIGS_MAX_HOLD" .maxHold)
  (list "MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS" .maxHoldRequiredPools)
  (list "MACHINE_CONFIGS_HOLD_FOR_JOBS" .holdForJobs)
  (list "MACHINE_CONFIGS_HOLD_FOR_KUSTOMIZATIONS" .holdForKustomizations)
  (list "MACHINE_CONFIGS_HOLD_FOR_APPLICATION_SETS" .holdForApplicationSets)
  (list "MACHINE_CONFIGS_HONOR_NODE_DISRUPTION_POLICY" .honorNodeDisruptionPolicy)
  (list "MACHINE_CONFIGS_CONTROLLER" .controller)) -}}
{{- $settings = concat $settings $syncs -}}
{{- with .leaseNamespaces -}}
{{- $settings = append $settings (list "MACHINE_CONFIGS_LEASE_NAMESPACES" (join "," .)) -}}
{{- end -}}
{{- if $.Values.upgradePlans.enabled -}}
{{- $settings = append $settings (list "UPGRADE_PLANS_CONTROLLER" $.Values.upgradePlans.controller) -}}
{{- end -}}
{{- if $.Values.inPlaceNodePools.enabled -}}
{{- $settings = append $settings (list "IN_PLACE_NODE_POOLS_CONTROLLER" $.Values.inPlaceNodePools.controller) -}}
{{- end -}}
{{- else if $.Values.hub.enabled -}}
{{- $settings = concat $settings $syncs -}}
{{- end -}}
{{- end -}}
{{- if .Values.hub.enabled -}}
{{- $settings = append $settings (list "HUB_DIRECTORY" "/etc/gitops-interlock/hub") -}}
{{- end -}}
{{- with .Values.clientCertificates -}}
{{- if .ca -}}
{{- $settings = concat $settings (list
  (list "CLIENT_CERTIFICATES_CA_FILE" "/etc/gitops-interlock/client-ca/ca.crt")
  (list "CLIENT_CERTIFICATES_NAMES" (join "," .names))) -}}
{{- end -}}
{{- end -}}
{{- if include "gitops-interlock.selfManaged" . -}}
{{- $name := include "gitops-interlock.fullname" . -}}
{{- with .Values.certificates.selfManaged -}}
{{- $settings = concat $settings (list
  (list "CERTIFICATE_SELF_MANAGED_SECRET" (include "gitops-interlock.trustSecret" $))
  (list "CERTIFICATE_SELF_MANAGED_HOSTS" (printf "%s.%s.svc" $name $.Release.Namespace))
  (list "CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS" (include "gitops-interlock.webhookConfigurations" $ | fromJsonArray | join ","))
  (list "CERTIFICATE_SELF_MANAGED_DURATION" .duration)
  (list "CERTIFICATE_SELF_MANAGED_CA_DURATION" .caDuration)
  (list "CERTIFICATE_SELF_MANAGED_OVERLAP" .overlap)
  (list "CERTIFICATE_SELF_MANAGED_CALLER_TOKEN" .callerToken)
  (list "CERTIFICATE_SELF_MANAGED_CALLER_TOKEN_INTERVAL" .callerTokenInterval)) -}}
{{- end -}}
{{- else -}}
{{- $settings = append $settings (list "CERTIFICATE_DIRECTORY" "/etc/gitops-interlock/tls") -}}
{{- end -}}
{{- $settings = concat $settings (list
  (list "CERTIFICATE_POLL_INTERVAL" .Values.certificates.pollInterval)
  (list "TLS_ENGINE" .Values.tls.engine)
  (list "LIMITS_BODY_DEADLINE" .Values.limits.bodyDeadline)
  (list "EVENTS_REFUSED_EDITS" .Values.events.refusedEdits)
  (list "STATUS_PAGE" .Values.statusPage)) -}}
{{- with .Values.guidance.pages -}}
{{- $settings = append $settings (list "GUIDANCE_PAGES" .) -}}
{{- end -}}
{{- with .Values.tracing.endpoint -}}
{{- $settings = append $settings (list "TRACING_ENDPOINT" .) -}}
{{- end -}}
{{- range $settings }}
- name: GITOPS_INTERLOCK_{{ first . }}
  value: {{ last . | toString | quote }}
{{- end }}
{{- if .Values.callerToken }}
- name: GITOPS_INTERLOCK_CALLER_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "gitops-interlock.fullname" . }}-caller-token
      key: token
{{- if .Values.additionalCallerToken }}
- name: GITOPS_INTERLOCK_ADDITIONAL_CALLER_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "gitops-interlock.fullname" . }}-caller-token
      key: additional
{{- end }}
{{- end }}
{{- if ne .Values.log.level "INFO" }}
- name: QUARKUS_LOG_CATEGORY__DEV_GITOPSINTERLOCK__LEVEL
  value: {{ .Values.log.level }}
{{- end }}
{{- if eq .Values.log.format "json" }}
- name: QUARKUS_LOG_CONSOLE_JSON_ENABLED
  value: "true"
{{- end }}
- name: QUARKUS_HTTP_SSL_PORT
  value: {{ int .Values.ports.webhook | quote }}
- name: QUARKUS_MANAGEMENT_PORT
  value: {{ int .Values.ports.management | quote }}
{{- end -}}

{{/* How long durations are at most; with longer ones the service would not start. */}}
{{- define "gitops-interlock.longest" -}}
replacement.recreateDelay: 5s
replacement.startCheckInterval: 1h
machineConfigs.maxHold: 1h
machineConfigs.maxHoldRequiredPools: 1h
machineConfigs.maxSyncAge: 24h
certificates.pollInterval: 1h
certificates.selfManaged.duration: 87600h
certificates.selfManaged.caDuration: 87600h
certificates.selfManaged.overlap: 24h
certificates.selfManaged.callerTokenInterval: 87600h
limits.bodyDeadline: 1h
{{- end -}}
