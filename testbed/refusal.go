package main

import (
	"fmt"
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
)

// findRefusal looks for one in what go has said.
func findRefusal(what string, output []byte) error {
	for _, pattern := range []*regexp.Regexp{refused, noToolchain} {
		if found := pattern.FindSubmatch(output); found != nil {
			return refusal{what, fmt.Sprintf("the Go module proxy refuses %s (%s)", found[1], found[2])}
		}
	}
	return nil
}
