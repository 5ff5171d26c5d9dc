//go:build tools

// Package programs names the krew that the test bed builds.
package programs

import _ "sigs.k8s.io/krew/cmd/krew"
