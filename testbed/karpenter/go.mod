module dev.gitopsinterlock/testbed/karpenter

go 1.26.0

toolchain go1.27.3

require sigs.k8s.io/karpenter v1.14.1
