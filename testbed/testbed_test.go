package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTwoRunSideBySide(t *testing.T) {
	one, two := launch(t), launch(t)
	one.kubectl("create", "namespace", "only-in-one")
	if namespaces := two.kubectl("get", "namespaces"); strings.Contains(namespaces, "only-in-one") {
		t.Errorf("both see the same objects:\n%s", namespaces)
	}
	if len(one.processes()) != 3 || len(two.processes()) != 3 {
		t.Errorf("processes: %v and %v", one.processes(), two.processes())
	}
}

func TestKilledLauncherLeavesNoProcessAndTheNextRemovesItsFolder(t *testing.T) {
	b := launch(t)
	if err := b.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = b.waitForEnd()
	b.mustBeGone()
	launch(t)
	b.folderMustBeGone()
}

func TestInterruptEndsItAndRemovesTheFolder(t *testing.T) {
	b := launch(t)
	if err := b.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := b.waitForEnd(); err != nil {
		t.Errorf("an interrupted run is a good one, but: %v", err)
	}
	b.mustBeGone()
	b.folderMustBeGone()
}

func TestClosedStdinEndsIt(t *testing.T) {
	b := launch(t)
	b.stdin.Close()
	if err := b.waitForEnd(); err != nil {
		t.Error(err)
	}
	b.mustBeGone()
	b.folderMustBeGone()
}

func TestDownEndsItAndKeepsTheGivenFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder")
	b := launch(t, "--dir", dir)
	sourced, err := exec.Command("sh", "-c", `. "$0"/testbed.env && echo "$KUBECONFIG"`, dir).Output()
	if got := strings.TrimSpace(string(sourced)); got != b.vars["KUBECONFIG"] {
		t.Errorf("testbed.env gives %q (%v), want %q", got, err, b.vars["KUBECONFIG"])
	}
	if output, err := exec.Command("./testbed", "up", "--dir", dir).CombinedOutput(); err == nil || !strings.Contains(string(output), "is in use") {
		t.Errorf("a second one in the same folder: %v\n%s", err, output)
	}
	if output, err := exec.Command("./testbed", "down", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b.mustBeGone()
	if _, err := os.Stat(b.vars["AUDIT_LOG"]); err != nil {
		t.Error(err)
	}
	launch(t, "--dir", dir) // and it can be used again
}

func TestDeadComponentEndsItWithTheEndOfItsLog(t *testing.T) {
	b := launch(t)
	if err := syscall.Kill(b.processes()["kube-controller-manager"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := b.waitForEnd(); err == nil {
		t.Error("the launcher ends as if nothing had happened")
	}
	if report := b.stderr.String(); !strings.Contains(report, "kube-controller-manager ended by itself (signal: killed)") {
		t.Errorf("it only says %q", report)
	}
	b.mustBeGone()
}

func TestDeadAPIServerIsStartedAgainIfAskedFor(t *testing.T) {
	b := launch(t, "--revive-apiserver")
	first := b.processes()[apiServer]
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		output, err := exec.Command(b.vars["KUBECTL"], "--kubeconfig", b.vars["KUBECONFIG"], "get", "--raw", "/readyz").CombinedOutput()
		if err == nil && b.processes()[apiServer] != first {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it is not back: %v\n%s", err, output)
		}
	}
}

func TestRefusedArgumentIsReported(t *testing.T) {
	needsPrograms(t)
	output, err := exec.Command("./testbed", "up", "--quiet", "--apiserver-arg=--no-such-flag").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "unknown flag: --no-such-flag") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestFolderWithOtherFilesIsLeftAlone(t *testing.T) {
	needsPrograms(t)
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("./testbed", "up", "--dir", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(output), "name an empty folder") {
		t.Errorf("%v\n%s", err, output)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}
