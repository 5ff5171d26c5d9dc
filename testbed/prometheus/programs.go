//go:build tools

// Package programs names the Prometheus and the promtool that the test bed builds.
package programs

import (
	_ "github.com/prometheus/prometheus/cmd/prometheus"
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
