//go:build tools

// Package types names the types that the test bed makes CustomResourceDefinitions from.
package types

import _ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
