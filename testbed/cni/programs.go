//go:build tools

// Package programs names the network plugins that a Node needs.
package programs

import (
	_ "github.com/containernetworking/plugins/plugins/ipam/host-local"
	_ "github.com/containernetworking/plugins/plugins/main/bridge"
	_ "github.com/containernetworking/plugins/plugins/meta/portmap"
)
