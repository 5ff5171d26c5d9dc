module dev.gitopsinterlock/testbed/kueue

go 1.26.0

toolchain go1.27.3

require sigs.k8s.io/kueue v0.17.0
