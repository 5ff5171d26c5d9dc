module dev.gitopsinterlock/bench

go 1.26
