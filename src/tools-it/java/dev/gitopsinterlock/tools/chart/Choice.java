package dev.gitopsinterlock.tools.chart;

import java.util.List;
import java.util.stream.Stream;

/**
 * Values that people install with.
 *
 * @param words what they want
 * @param values as {@code --set} takes them
 */
record Choice(String words, List<String> values) {

    static Stream<Choice> all() {
        return Stream.of(
                choice("the defaults"),
                choice("Jobs alone", "machineConfigs.enabled=false"),
                choice("MachineConfigs alone", "jobs.enabled=false"),
                choice("no advice", "jobs.advice.enabled=false", "machineConfigs.advice.enabled=false"),
                choice("words and nothing else", "jobs.allowOverrides=false"),
                choice(
                        "no rights at all",
                        "jobs.allowOverrides=false",
                        "jobs.advice.enabled=false",
                        "machineConfigs.enabled=false"),
                choice("a hub beside it", "hub.enabled=true"),
                choice(
                        "a hub and nothing else",
                        "hub.enabled=true",
                        "hub.kubeconfigSecret=clusters",
                        "jobs.enabled=false",
                        "machineConfigs.enabled=false",
                        "kinds.StatefulSet=false",
                        "certificates.mode=selfManaged"),
                choice(
                        "Replace everywhere",
                        "replacement.enabled=true",
                        "replacement.allowJobAnnotations=true",
                        "acceptReadableCallerToken=true",
                        "clientCertificates.ca=-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
                        "clientCertificates.names={kube-apiserver}",
                        "additionalCallerToken=" + "t0k3n".repeat(5),
                        "jobs.onImmutableChange=Replace",
                        "jobs.whenActive=Replace",
                        "jobs.ttlSecondsAfterFinished=3600000",
                        "jobs.generateName=true",
                        "jobs.failurePolicy=Fail",
                        "machineConfigs.failurePolicy=Fail",
                        "callerToken=" + "w0rd".repeat(5)),
                choice(
                        "carried out in two Namespaces",
                        "replacement.enabled=true",
                        "replacement.namespaces={shop,blog}",
                        "callerToken=" + "w0rd".repeat(5)),
                choice(
                        "carried out by an older Kubernetes",
                        "replacement.enabled=true",
                        "callerToken=" + "w0rd".repeat(5),
                        "--kube-version=1.35.4"),
                choice(
                        "a Secret of one's own",
                        "certificates.mode=existingSecret",
                        "certificates.existingSecret.name=my-tls",
                        "certificates.existingSecret.annotations.cert-manager\\.io/inject-ca-from-secret=tls/my-tls"),
                choice(
                        "a certificate that it makes itself",
                        "certificates.mode=selfManaged",
                        "replacement.enabled=true"),
                choice(
                        "a certificate that it makes itself, beside callers' own",
                        "certificates.mode=selfManaged",
                        "certificates.selfManaged.callerToken=false",
                        "jobs.failurePolicy=Fail",
                        "machineConfigs.enabled=false",
                        "clientCertificates.ca=-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
                        "clientCertificates.names={kube-apiserver}"),
                choice("OpenShift's service CA", "certificates.mode=openshiftServiceCa"),
                choice(
                        "an issuer of one's own",
                        "certificates.certManager.issuerRef.name=company",
                        "certificates.certManager.issuerRef.kind=ClusterIssuer"),
                choice(
                        "all that is not there by default",
                        "networkPolicy.enabled=true",
                        "networkPolicy.apiServers={10.0.0.1/32,fd00::/64}",
                        "networkPolicy.ingressFrom[0].podSelector.matchLabels.k8s-app=konnectivity-agent",
                        "networkPolicy.metricsNamespaces={monitoring}",
                        "serviceMonitor.enabled=true",
                        "serviceMonitor.labels.release=prometheus",
                        "prometheusRule.enabled=true",
                        "prometheusRule.labels.release=prometheus",
                        "prometheusRule.runbooks=https://wiki.example.com/{alert}",
                        "dashboard.enabled=true"),
                choice(
                        "callers with certificates",
                        "clientCertificates.ca=-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
                        "clientCertificates.names={kube-apiserver,another}"),
                choice(
                        "the Node's network",
                        "hostNetwork=true",
                        "ports.webhook=10260",
                        "ports.management=10261",
                        "replicaCount=1",
                        "podDisruptionBudget.enabled=false",
                        "priorityClassName=system-cluster-critical"),
                choice(
                        "a place of its own",
                        "fullnameOverride=interlock",
                        "nodeSelector.node-role\\.kubernetes\\.io/infra=",
                        "tolerations[0].key=node-role.kubernetes.io/infra",
                        "tolerations[0].operator=Exists",
                        "image.repository=registry.example/gitops-interlock",
                        "image.digest=sha256:" + "0123456789abcdef".repeat(4),
                        "imagePullSecrets={registry}",
                        "jobs.exemptNamespaces={shop}",
                        "resources.limits.cpu=1"),
                choice(
                        "what the company asks of every workload",
                        "podLabels.team=platform",
                        "deploymentLabels.team=platform",
                        "--set-string=podAnnotations.sidecar\\.istio\\.io/inject=false",
                        "--set-string=deploymentAnnotations.reloader\\.stakater\\.com/auto=true",
                        "--set-string=service.annotations.port=9000",
                        "revisionHistoryLimit=3",
                        "global.imageRegistry=mirror.example:5000/",
                        "image.repository=gitops-interlock",
                        "global.imagePullSecrets[0].name=mirror",
                        "strategy.type=Recreate",
                        "probes.liveness.failureThreshold=10",
                        "log.level=DEBUG",
                        "log.format=json",
                        "test.afterInstall=true",
                        "test.namespace=shop",
                        "extraArgs={--quarkus.log.level=WARN}",
                        "extraVolumes[0].name=tmp",
                        "extraVolumeMounts[0].name=tmp",
                        "extraVolumeMounts[0].mountPath=/tmp",
                        "serviceAccount.name=interlock",
                        "jobs.namespaceSelector.matchLabels.gitops-interlock=enabled",
                        "jobs.namespaceSelector.matchExpressions[0].key=team",
                        "jobs.namespaceSelector.matchExpressions[0].operator=Exists",
                        "jobs.objectSelector.matchLabels.managed=gitops",
                        "serviceAccount.annotations.owner=platform",
                        "service.ipFamilyPolicy=PreferDualStack",
                        "service.ipFamilies={IPv4}",
                        "extraEnv[0].name=JAVA_TOOL_OPTIONS",
                        "extraEnv[0].value=-Xlog:gc",
                        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
                                + ".matchExpressions[0].key=node-role.kubernetes.io/infra",
                        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
                                + ".matchExpressions[0].operator=Exists",
                        "topologySpreadConstraints[0].topologyKey=topology.kubernetes.io/zone",
                        "topologySpreadConstraints[0].maxSkew=1",
                        "topologySpreadConstraints[0].whenUnsatisfiable=DoNotSchedule"));
    }

    private static Choice choice(String words, String... values) {
        return new Choice(words, List.of(values));
    }

    @Override
    public String toString() {
        return words;
    }
}
