module dev.gitopsinterlock/testbed/openshift

go 1.26.0

require github.com/openshift/api v0.0.0-20260731195344-05ea89db4588
