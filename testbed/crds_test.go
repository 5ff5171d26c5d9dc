package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestDefinitionsAreThere(t *testing.T) {
	for name, definition := range definitions {
		output, err := exec.Command("./testbed", "crds", name).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		paths := strings.Fields(string(output))
		if len(paths) != len(definition.files) {
			t.Errorf("%s: %d files, expected %d", name, len(paths), len(definition.files))
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), "kind: CustomResourceDefinition") {
				t.Errorf("%s: no definition in %s (%v)", name, path, err)
			}
		}
	}
}

func TestUnknownDefinitionsAreReported(t *testing.T) {
	output, err := exec.Command("./testbed", "crds", "gke").CombinedOutput()
	if err == nil || !strings.Contains(string(output), `no CRDs of "gke" here; choose argocd or openshift`) {
		t.Errorf("%v\n%s", err, output)
	}
}
