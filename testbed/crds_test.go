package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestDefinitionsAreThere(t *testing.T) {
	for name, product := range definitions {
		output, err := exec.Command("./testbed", "crds", name).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		paths := strings.Fields(string(output))
		expected := 0
		for _, definition := range product {
			expected += len(definition.files)
		}
		if len(paths) != expected {
			t.Errorf("%s: %d files, expected %d", name, len(paths), expected)
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
	if err == nil || !strings.Contains(string(output), `no CRDs of "gke" here; choose argocd, certmanager, flux, monitoring or openshift`) {
		t.Errorf("%v\n%s", err, output)
	}
}
