module dev.gitopsinterlock/testbed/flux/source

go 1.26.0

require github.com/fluxcd/source-controller v1.9.5
