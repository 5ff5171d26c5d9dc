//go:build tools

// Package programs names the Argo CD that the test bed builds.
package programs

import _ "github.com/argoproj/argo-cd/v3/cmd"
