//go:build tools

// Package programs names the part of Kyverno that the test bed builds.
package programs

import _ "github.com/kyverno/kyverno/cmd/kyverno"
