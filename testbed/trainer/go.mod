module dev.gitopsinterlock/testbed/trainer

go 1.26.0

toolchain go1.27.3

require github.com/kubeflow/trainer/v2 v2.0.0
