//go:build tools

// Package programs names the part of kube-router that the test bed builds.
package programs

import _ "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router"
