module dev.gitopsinterlock/testbed

go 1.26
