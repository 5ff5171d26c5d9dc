//go:build tools

// Package programs names the helm-docs that the test bed builds.
package programs

import _ "github.com/norwoodj/helm-docs/cmd/helm-docs"
