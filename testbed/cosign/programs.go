//go:build tools

// Package programs names the cosign that the test bed builds.
package programs

import _ "github.com/sigstore/cosign/v3/cmd/cosign"
