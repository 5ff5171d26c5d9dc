module dev.gitopsinterlock/bench

go 1.26

toolchain go1.27.3

require github.com/HdrHistogram/hdrhistogram-go v1.4.0
