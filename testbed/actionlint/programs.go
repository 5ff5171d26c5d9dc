//go:build tools

// Package programs names the actionlint that the test bed builds.
package programs

import _ "github.com/rhysd/actionlint/cmd/actionlint"
