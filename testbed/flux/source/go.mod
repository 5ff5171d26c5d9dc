module dev.gitopsinterlock/testbed/flux/source

go 1.26.0

toolchain go1.27.3

require github.com/fluxcd/source-controller v1.9.6
