package main

import (
	"fmt"
	"os"
	"regexp"
)

// exitUnavailable is EX_UNAVAILABLE of sysexits.h: nothing is wrong here, and trying again does not help.
const exitUnavailable = 69

// A refusal is a Go module that cannot be had: its proxy says no.
type refusal struct {
	what   string // was to be made of it
	module string
	answer string
}

func (r refusal) Error() string {
	return fmt.Sprintf("%s cannot be had: the Go module proxy refuses %s (%s)", r.what, r.module, r.answer)
}

var (
	refused     = regexp.MustCompile(`([^\s:]+@[^\s:]+): reading \S+: (4\d\d [^\n]+)`)
	unreachable = regexp.MustCompile(`([^\s:]+@[^\s:]+): [^\n]*\bdial tcp\b`)
)

// findRefusal looks for one in what go has said. Where nothing can be downloaded, in a network of our own, what was not
// downloaded before is one too.
func findRefusal(what string, output []byte) error {
	if found := refused.FindSubmatch(output); found != nil {
		return refusal{what, string(found[1]), string(found[2])}
	}
	if found := unreachable.FindSubmatch(output); found != nil && os.Getenv(networkName) != "" {
		return refusal{what, string(found[1]), "not asked, this network has no way out"}
	}
	return nil
}
