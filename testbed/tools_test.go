package main

import (
	"bufio"
	"io"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// builtOnRequest are tools whose build is too long for every run: `make test-kyverno`, `make bench-peers` and
// `make test-tools ARGOCD=3.5` build and use them.
var builtOnRequest = []string{"argocd/3.5", "kyverno", "gatekeeper", "gowebhook"}

// builtTool returns the path of the program, and what was said on stderr. It skips a test of what cannot be had.
func builtTool(t *testing.T, name string) (path, progress string) {
	t.Helper()
	needsPrograms(t)
	if slices.Contains(builtOnRequest, name) {
		t.Skip("is built on request only")
	}
	var stderr strings.Builder
	cmd := exec.Command("./testbed", "tool", name)
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if isRefused(err) {
		t.Skip(stderr.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	path, isLine := strings.CutSuffix(string(output), "\n")
	if !isLine || strings.Contains(path, "\n") {
		t.Errorf("stdout is not one line but %q", output)
	}
	return path, stderr.String()
}

func TestToolCallsItselfByItsVersion(t *testing.T) {
	for _, tool := range tools {
		if tool.version == "" {
			continue
		}
		t.Run(tool.name, func(t *testing.T) {
			path, _ := builtTool(t, tool.name)
			m, err := readModule(tool.folder, tool.program, tool.path)
			if err != nil {
				t.Fatal(err)
			}
			args, expected := []string{"version"}, "v"+m.version
			switch tool.name {
			case "argocd", "argocd/3.5":
				args = append(args, "--client")
			case "helmdocs": // takes any word for "write the README of every chart below this folder"
				args, expected = []string{"--version"}, "helm-docs version "+m.version
			case "vale":
				args, expected = []string{"--version"}, "vale version "+m.version
			case "prometheus", "promtool": // the module v0.316.0 is 3.16.0 for people; it says what the linker was told
				args, expected = []string{"--version"}, tool.name+", version "+m.version
			case "actionlint":
				args = []string{"-version"}
			case "upgradecontroller":
				args = []string{"--version"}
			}
			if output, err := exec.Command(path, args...).CombinedOutput(); err != nil || !strings.Contains(string(output), expected) {
				t.Errorf("no %s in %s (%v)", m.version, output, err)
			}
		})
	}
}

func TestToolIsBuiltOnce(t *testing.T) {
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			first, _ := builtTool(t, tool.name)
			again, progress := builtTool(t, tool.name)
			if again != first || strings.Contains(progress, "building") {
				t.Errorf("first %s, then %s: %s", first, again, progress)
			}
		})
	}
}

func TestToolsAreKeptApart(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			path, _ := builtTool(t, tool.name)
			if other, taken := seen[path]; taken {
				t.Errorf("%s is %s, too", other, path)
			}
			seen[path] = tool.name
		})
	}
}

func TestUnknownToolIsReportedWithTheKnownOnes(t *testing.T) {
	output, err := exec.Command("./testbed", "tool", "helm2").CombinedOutput()
	if err == nil || !strings.Contains(string(output), `no tool "helm2" here; choose one of helm3, helm4`) {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestTiedRedisSaysWhereItIsAndEndsWithStdin(t *testing.T) {
	path, _ := builtTool(t, "redis")
	cmd := exec.Command("./testbed", "tied", path)
	stdin, stdout := start(t, cmd)
	defer func() { _ = cmd.Process.Kill() }()
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "*1\r\n$4\r\nPING\r\n")
	if answer, err := bufio.NewReader(conn).ReadString('\n'); answer != "+PONG\r\n" {
		t.Errorf("PING was answered by %q (%v)", answer, err)
	}
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if other, err := net.Dial("tcp", strings.TrimSpace(address)); err == nil {
		_ = other.Close()
		t.Error("it is still there")
	}
}

func TestTiedProgramsEndIsReported(t *testing.T) {
	cmd := exec.Command("./testbed", "tied", "false")
	if _, err := cmd.StdinPipe(); err != nil { // which stays open
		t.Fatal(err)
	}
	if output, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(output), "exit status 1") {
		t.Errorf("%v\n%s", err, output)
	}
}
