//go:build tools

// Package programs names the Helm 3 that the test bed builds.
package programs

import _ "helm.sh/helm/v3/cmd/helm"
