//go:build tools

// Package programs names the system-upgrade-controller that the test bed builds.
package programs

import _ "github.com/rancher/system-upgrade-controller"
