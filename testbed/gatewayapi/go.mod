module dev.gitopsinterlock/testbed/gatewayapi

go 1.26.0

toolchain go1.27.3

require sigs.k8s.io/gateway-api v1.6.0
