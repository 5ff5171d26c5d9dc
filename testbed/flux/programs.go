//go:build tools

// Package programs names the part of Flux that the test bed builds.
package programs

import _ "github.com/fluxcd/kustomize-controller"
