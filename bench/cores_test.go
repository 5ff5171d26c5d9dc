package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestServersDoNotRunOnTheCoreOfTheLoadGenerator(t *testing.T) {
	b, err := prepare(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(b.scratch) })
	if !b.cores.apart {
		t.Skip("there is one core only")
	}
	for _, place := range []struct {
		name  string
		start func(*exec.Cmd) error
		cpus  cpuSet
	}{
		{"server", b.startPinned, b.cores.server},
		{"other", (*exec.Cmd).Start, b.cores.generator},
	} {
		var said strings.Builder
		command := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status")
		command.Stdout = &said
		if err := place.start(command); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint(place.cpus.numbers()[0]); strings.Fields(said.String())[1] != want {
			t.Errorf("%s: on %s, not on %s", place.name, strings.TrimSpace(said.String()), want)
		}
	}
}
