module dev.gitopsinterlock/testbed/openreports

go 1.26.0

toolchain go1.27.3

require github.com/openreports/reports-api v0.2.1
