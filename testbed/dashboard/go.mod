module dev.gitopsinterlock/testbed/dashboard

go 1.26.0

toolchain go1.27.3

require github.com/grafana/grafana-foundation-sdk/go v0.0.22
