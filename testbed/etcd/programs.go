//go:build tools

// Package programs names the etcd server that the test bed builds.
package programs

import _ "go.etcd.io/etcd/server/v3"
