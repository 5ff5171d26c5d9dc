module dev.gitopsinterlock/testbed/rosa

go 1.26.0

toolchain go1.27.3

require sigs.k8s.io/cluster-api-provider-aws/v2 v2.13.0
