module dev.gitopsinterlock/testbed/cilium

go 1.26.0

toolchain go1.27.3

require github.com/cilium/cilium v1.20.2
