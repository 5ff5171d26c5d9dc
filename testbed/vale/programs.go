//go:build tools

// Package programs names the Vale that the test bed builds.
package programs

import _ "github.com/errata-ai/vale/v2/cmd/vale"
