//go:build tools

// Package programs names the crane that the test bed builds.
package programs

import _ "github.com/google/go-containerregistry/cmd/crane"
