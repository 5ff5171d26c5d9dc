package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestPrivateCommandHasAddressesForPodsAndItsExitCodeIsPassedOn(t *testing.T) {
	cmd := exec.Command("./testbed", "private", "--", "sh", "-c", "echo $"+networkName+"; cat /proc/net/fib_trie; exit 3")
	output, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != 3 {
		t.Errorf("%v\n%s", err, output)
	}
	if !strings.HasPrefix(string(output), podNetwork+"\n") {
		t.Skipf("no namespaces here: %s", output)
	}
	if !strings.Contains(string(output), "10.244.0.0/24") || !strings.Contains(string(output), "127.0.0.1") {
		t.Errorf("addresses are missing: %s", output)
	}
}

func TestContainerSeesItsMountsInARootThatItCannotWriteTo(t *testing.T) {
	folder := t.TempDir()
	for path := folder; path != "/"; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err != nil || info.Mode()&0o005 != 0o005 {
			_ = os.Chmod(path, 0o755) // below /tmp: only what is the test's own can be changed, and needs to be
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), []byte("mounted"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(folder, "file"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("./testbed", "private", "--", "./testbed", "container", "--mount", folder+":/etc/of-a-test/deep",
		"sh", "-c", "cat /etc/of-a-test/deep/file; ls /etc/passwd; touch /etc/of-a-test/deep/file /tmp/of-a-test; true")
	stdin, err := cmd.StdinPipe() // stays open
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	output, err := cmd.CombinedOutput()
	if err != nil {
		if strings.Contains(string(output), "no network namespace") {
			t.Skipf("no namespaces here: %s", output)
		}
		t.Fatalf("%v\n%s", err, output)
	}
	if text := string(output); !strings.HasPrefix(text, "mounted/etc/passwd\n") || strings.Count(text, "Read-only file system") != 2 {
		t.Error(text)
	}
	if _, err := os.Stat("/etc/of-a-test"); err == nil {
		t.Error("the machine has it too")
	}
}

func TestContainerEndsWithItsLauncher(t *testing.T) {
	cmd := exec.Command("./testbed", "container", "sh", "-c", "echo $$; exec sleep 1000")
	_, stdout := start(t, cmd)
	var id int
	if _, err := fmt.Fscanln(stdout, &id); err != nil {
		_ = cmd.Wait()
		t.Skipf("no mount namespaces here: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // until its stdout is closed everywhere
	for range 100 {
		if syscall.Kill(id, 0) != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.Kill(id, syscall.SIGKILL)
	t.Error("it is still there")
}

func TestContainerEndsWithStdin(t *testing.T) {
	cmd := exec.Command("./testbed", "private", "--", "./testbed", "container", "sh", "-c", "echo here; exec sleep 1000")
	stdin, stdout := start(t, cmd)
	if _, err := io.ReadFull(stdout, make([]byte, len("here\n"))); err != nil {
		_ = cmd.Wait()
		t.Skipf("no namespaces here: %v", err)
	}
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestBareContainerHasItsOwnVariablesAndEndsAsItLikes(t *testing.T) {
	cmd := exec.Command("./testbed", "container", "--bare", "--env", "A=1 2", "/bin/sh", "-c",
		`trap 'echo ending; exit 7' TERM; echo "$A,$HOME"; while :; do sleep 0.1; done`)
	_, stdout := start(t, cmd)
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); err != nil || line != "1 2,\n" {
		t.Fatalf("%q %v", line, err)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if line, err := lines.ReadString('\n'); err != nil || line != "ending\n" {
		t.Errorf("%q %v", line, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestBareContainerTakesNoMounts(t *testing.T) {
	output, err := exec.Command("./testbed", "container", "--bare", "--mount", "/tmp:/data", "true").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "--bare has no root of its own") {
		t.Errorf("%v\n%s", err, output)
	}
}
