{{/*
The kinds beside Job, with the fields that Kubernetes does not change; the service has the same list. As YAML, those that
are switched on. Only where one of these fields differs is the service asked.
*/}}
{{- define "gitops-interlock.kinds" -}}
{{- $apps := dict "group" "apps" "scope" "Namespaced" "fields" (list "spec.selector") -}}
{{- $binding := dict "group" "rbac.authorization.k8s.io" "fields" (list "roleRef") -}}
{{- $storage := dict "group" "storage.k8s.io" "scope" "Cluster" -}}
{{- $kinds := dict
  "StatefulSet" (merge (dict "fields" (list "spec.selector" "spec.volumeClaimTemplates" "spec.serviceName" "spec.podManagementPolicy")) $apps)
  "Deployment" $apps
  "DaemonSet" $apps
  "ReplicaSet" $apps
  "PersistentVolumeClaim" (dict "group" "" "scope" "Namespaced" "fields" (list "spec"))
  "PersistentVolume" (dict "group" "" "scope" "Cluster" "fields" (list "spec"))
  "RoleBinding" (merge (dict "scope" "Namespaced") $binding)
  "ClusterRoleBinding" (merge (dict "scope" "Cluster") $binding)
  "StorageClass" (merge (dict "resource" "storageclasses" "fields" (list "provisioner" "parameters" "reclaimPolicy" "volumeBindingMode")) $storage)
  "VolumeAttributesClass" (merge (dict "resource" "volumeattributesclasses" "fields" (list "driverName" "parameters")) $storage)
  "CSIDriver" (merge (dict "fields" (list "spec.attachRequired" "spec.volumeLifecycleModes")) $storage)
  "IngressClass" (dict "group" "networking.k8s.io" "scope" "Cluster" "resource" "ingressclasses" "fields" (list "spec.controller"))
  "PriorityClass" (dict "group" "scheduling.k8s.io" "scope" "Cluster" "resource" "priorityclasses" "fields" (list "value" "preemptionPolicy"))
  "RuntimeClass" (dict "group" "node.k8s.io" "scope" "Cluster" "resource" "runtimeclasses" "fields" (list "handler"))
  "ResourceClaim" (dict "group" "resource.k8s.io" "scope" "Namespaced" "fields" (list "spec"))
  "ResourceClaimTemplate" (dict "group" "resource.k8s.io" "scope" "Namespaced" "fields" (list "spec"))
  "ConfigMap" (dict "group" "" "scope" "Namespaced" "immutable" true "fields" (list "data" "binaryData" "immutable"))
  "Secret" (dict "group" "" "scope" "Namespaced" "immutable" true "always" "type" "fields" (list "data" "immutable"))
-}}
{{- $on := dict -}}
{{- range $kind, $isOn := .Values.kinds -}}
{{- if $isOn -}}
{{- $of := get $kinds $kind -}}
{{- $on = set $on $kind (merge (dict "resource" ($of.resource | default (printf "%ss" (lower $kind)))) $of) -}}
{{- end -}}
{{- end -}}
{{- toYaml $on -}}
{{- end -}}

{{/* CEL: whether one of a kind's fields differs. */}}
{{- define "gitops-interlock.fixedFieldChanges" -}}
{{- $differences := list -}}
{{- range .fields -}}
{{- $field := . | replace "." ".?" -}}
{{- $differences = append $differences (printf "object.?%s != oldObject.?%s" $field $field) -}}
{{- end -}}
{{- $any := join "\n|| " $differences -}}
{{- if .immutable -}}
{{- $any = printf "oldObject.?immutable.orValue(false)\n&& (%s)" $any -}}
{{- end -}}
{{- with .always -}}
{{- $any = printf "object.?%s != oldObject.?%s\n|| (%s)" . . $any -}}
{{- end -}}
{{- $any -}}
{{- end -}}
