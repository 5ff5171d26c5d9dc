//go:build tools

// Package programs names the Helm 4 that the test bed builds.
package programs

import _ "helm.sh/helm/v4/cmd/helm"
