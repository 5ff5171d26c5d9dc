module dev.gitopsinterlock/testbed/snapshots

go 1.26.0

toolchain go1.27.3

require github.com/kubernetes-csi/external-snapshotter/client/v8 v8.7.0
