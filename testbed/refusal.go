package main

import (
	"fmt"
	"os"
	"regexp"
)

// exitUnavailable is EX_UNAVAILABLE of sysexits.h: nothing is wrong here, and trying again does not help.
const exitUnavailable = 69

// A refusal is about a program that cannot be had: the proxy of Go modules says no, or the run has no time to build it.
type refusal struct {
	what string // was to be made of it
	why  string
}

func (r refusal) Error() string { return r.what + " cannot be had: " + r.why }

var (
	refused     = regexp.MustCompile(`([^\s:]+@[^\s:]+): reading \S+: (4\d\d [^\n]+)`)
	noToolchain = regexp.MustCompile(`download (go\S+)[^\n]*: (toolchain not available)`)
	unreachable = regexp.MustCompile(`([^\s:]+@[^\s:]+): [^\n]*\bdial tcp\b`)
)

// findRefusal looks for one in what go has said. Where nothing can be downloaded, in a network of our own, what was not
// downloaded before is one too.
func findRefusal(what string, output []byte) error {
	for _, pattern := range []*regexp.Regexp{refused, noToolchain} {
		if found := pattern.FindSubmatch(output); found != nil {
			return refusal{what, fmt.Sprintf("the Go module proxy refuses %s (%s)", found[1], found[2])}
		}
	}
	if found := unreachable.FindSubmatch(output); found != nil && os.Getenv(networkName) != "" {
		return refusal{what, fmt.Sprintf("%s was not downloaded before, and this network has no way out", found[1])}
	}
	return nil
}
