module dev.gitopsinterlock/testbed

go 1.26

toolchain go1.27.3
