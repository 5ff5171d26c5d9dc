package main

import (
	"os/exec"
	"strings"
	"testing"
)

// buildTool returns the path of the program, and what was said on stderr.
func buildTool(t *testing.T, name string) (path, progress string) {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("./testbed", "tool", name)
	cmd.Stderr = &stderr
	output, err := cmd.Output()
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
		t.Run(tool.name, func(t *testing.T) {
			path, _ := buildTool(t, tool.name)
			m, err := readModule(tool.folder, tool.program, tool.path)
			if err != nil {
				t.Fatal(err)
			}
			if output, err := exec.Command(path, "version").CombinedOutput(); err != nil || !strings.Contains(string(output), `"v`+m.version+`"`) {
				t.Errorf("no %s in %s (%v)", m.version, output, err)
			}
		})
	}
}

func TestToolIsBuiltOnce(t *testing.T) {
	for _, tool := range tools {
		first, _ := buildTool(t, tool.name)
		again, progress := buildTool(t, tool.name)
		if again != first || strings.Contains(progress, "building") {
			t.Errorf("%s: first %s, then %s: %s", tool.name, first, again, progress)
		}
	}
}

func TestToolsAreKeptApart(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range tools {
		path, _ := buildTool(t, tool.name)
		if other, taken := seen[path]; taken {
			t.Errorf("%s and %s are both %s", tool.name, other, path)
		}
		seen[path] = tool.name
	}
}

func TestUnknownToolIsReportedWithTheKnownOnes(t *testing.T) {
	output, err := exec.Command("./testbed", "tool", "helm2").CombinedOutput()
	if err == nil || !strings.Contains(string(output), `no tool "helm2" here; choose one of helm3, helm4`) {
		t.Errorf("%v\n%s", err, output)
	}
}
