package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// losesItsPortOnce is a component that finds its port taken when it is started for the first time.
const losesItsPortOnce = `#!/bin/sh
if [ ! -e started ]; then
  touch started
  echo "listen tcp 127.0.0.1:1: bind: address already in use"
  exit 1
fi
echo up >ready
exec sleep 60
`

func TestComponentThatLostItsPortIsStartedAgainOnOtherPorts(t *testing.T) {
	dir := runDir{path: t.TempDir()}
	if err := os.MkdirAll(dir.logs(), 0o700); err != nil {
		t.Fatal(err)
	}
	program := dir.file("program")
	if err := os.WriteFile(program, []byte(losesItsPortOnce), 0o700); err != nil {
		t.Fatal(err)
	}
	plane := &controlPlane{dir: dir}
	defer plane.stop()
	var tried [][]int
	err := plane.startOnFreePorts(t.Context(), "program", program, func(ports []int) ([]string, func(context.Context) error) {
		tried = append(tried, ports)
		return nil, func(context.Context) error {
			_, err := os.Stat(filepath.Join(dir.path, "ready"))
			return err
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) != 2 || slices.Equal(tried[0], tried[1]) {
		t.Errorf("tried the ports %v", tried)
	}
	if len(plane.components) != 1 {
		t.Errorf("%d components, wanted only the one that runs", len(plane.components))
	}
}

func TestComponentThatEndsIsReportedWithItsLastLines(t *testing.T) {
	dir := runDir{path: t.TempDir()}
	if err := os.MkdirAll(dir.logs(), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := startComponent(dir, "program", "/bin/sh", []string{"-c", "seq 100; exit 3"})
	if err != nil {
		t.Fatal(err)
	}
	err = c.waitUntil(t.Context(), func(context.Context) error { return os.ErrNotExist })
	if err == nil || !strings.HasPrefix(err.Error(), "program ended by itself (exit status 3)") {
		t.Fatal(err)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || lines[1] != "  81" || lines[20] != "  100" {
		t.Errorf("not the last 20 lines: %q", lines)
	}
}

func TestComponentIsStartedAgainWithTheVariablesThatItHad(t *testing.T) {
	dir := runDir{path: t.TempDir()}
	if err := os.MkdirAll(dir.logs(), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := startComponent(dir, "program", "/bin/sh", []string{"-c", "echo $GOGC"})
	if err != nil {
		t.Fatal(err)
	}
	<-c.ended
	if err := c.startAgain(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	if lines := strings.Fields(c.logEnd()); len(lines) != 2 || lines[0] != lines[1] {
		t.Errorf("it says %q", lines)
	}
}
