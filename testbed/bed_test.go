package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain builds what is missing first, so that no test has to wait for it. With -short nothing is built, and the tests that
// need it are skipped.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		os.Exit(m.Run())
	}
	commands := [][]string{{"build"}, {"build", "--node"}}
	for _, t := range tools {
		if !slices.Contains(builtOnRequest, t.name) {
			commands = append(commands, []string{"tool", t.name})
		}
	}
	for _, args := range commands {
		build := exec.Command("./testbed", args...)
		build.Stdout, build.Stderr = os.Stdout, os.Stderr
		if err := build.Run(); err != nil && !isRefused(err) {
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// isRefused tells whether the launcher ended because something cannot be had.
func isRefused(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == exitUnavailable
}

func needsPrograms(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short builds no programs")
	}
}

// start starts a program and returns its stdin and stdout. The stdin stays open until the test closes it or is over.
func start(t *testing.T, cmd *exec.Cmd) (stdin io.WriteCloser, stdout io.Reader) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if stdout, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
	return stdin, stdout
}

// A bed is a launcher that runs in a process of its own, as users start it.
type bed struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer // complete once the launcher has ended
	vars   map[string]string
	ended  chan error
}

// launch returns when READY=true is read. The bed is ended with the test.
func launch(t *testing.T, args ...string) *bed {
	t.Helper()
	return launchBy(t, "up", args...)
}

// launchBy is for another command than "up". What it cannot have here skips the test.
func launchBy(t *testing.T, command string, args ...string) *bed {
	t.Helper()
	needsPrograms(t)
	b := &bed{t: t, vars: map[string]string{}, ended: make(chan error, 1)}
	b.cmd = exec.Command("./testbed", append([]string{command, "--quiet", "--until-stdin-closes"}, args...)...)
	b.cmd.Stderr = io.MultiWriter(&b.stderr, os.Stderr)
	stdin, stdout := start(t, b.cmd)
	b.stdin = stdin
	for lines := bufio.NewScanner(stdout); b.vars["READY"] != "true"; {
		if !lines.Scan() {
			if isRefused(b.cmd.Wait()) {
				t.Skip(strings.TrimSpace(b.stderr.String()))
			}
			t.Fatalf("no READY=true, but %v", b.vars)
		}
		name, value, _ := strings.Cut(lines.Text(), "=")
		b.vars[name] = value
	}
	go func() { b.ended <- b.cmd.Wait() }()
	return b
}

func (b *bed) waitForEnd() error {
	b.t.Helper()
	select {
	case err := <-b.ended:
		return err
	case <-time.After(2 * time.Minute):
		b.t.Fatal("the launcher does not end")
		return nil
	}
}

func (b *bed) kubectl(args ...string) string {
	b.t.Helper()
	return b.kubectlApply("", args...)
}

func (b *bed) kubectlApply(manifest string, args ...string) string {
	b.t.Helper()
	cmd := exec.Command(b.vars["KUBECTL"], append([]string{"--kubeconfig", b.vars["KUBECONFIG"]}, args...)...)
	cmd.Stdin = strings.NewReader(manifest)
	output, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}

// processes lists the component processes of this bed, by the folder in their command lines.
func (b *bed) processes() map[string]int {
	found := map[string]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		program, args, _ := strings.Cut(string(text), "\x00")
		if strings.Contains(args, b.vars["DIR"]+"/") {
			var pid int
			fmt.Sscanf(file, "/proc/%d/", &pid)
			found[filepath.Base(program)] = pid
		}
	}
	return found
}

func (b *bed) mustBeGone() {
	b.t.Helper()
	eventually(b.t, func() error {
		if left := b.processes(); len(left) > 0 {
			return fmt.Errorf("still running: %v", left)
		}
		return nil
	})
}

func (b *bed) folderMustBeGone() {
	b.t.Helper()
	if _, err := os.Stat(b.vars["DIR"]); !os.IsNotExist(err) {
		b.t.Errorf("%s is still there (%v)", b.vars["DIR"], err)
	}
}

func eventually(t *testing.T, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatal(err)
}
