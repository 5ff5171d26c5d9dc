//go:build tools

// Package programs names the registry that the test bed builds.
package programs

import _ "github.com/distribution/distribution/v3/cmd/registry"
