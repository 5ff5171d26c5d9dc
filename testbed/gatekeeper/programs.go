//go:build tools

// Package programs names the program of Gatekeeper that the test bed builds.
package programs

import _ "github.com/open-policy-agent/gatekeeper/v3"
