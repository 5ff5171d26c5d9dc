//go:build tools

// Package programs names the syft that the test bed builds.
package programs

import _ "github.com/anchore/syft/cmd/syft"
