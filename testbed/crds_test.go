package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestDefinitionsAreThere(t *testing.T) {
	needsPrograms(t)
	for name, product := range definitions {
		t.Run(name, func(t *testing.T) {
			output, err := exec.Command("./testbed", "crds", name).Output()
			if isRefused(err) {
				t.Skip("cannot be had")
			}
			if err != nil {
				t.Fatal(err)
			}
			paths := strings.Fields(string(output))
			expected := 0
			for _, definition := range product {
				expected += len(definition.files)
			}
			if len(paths) != expected {
				t.Errorf("%d files, expected %d", len(paths), expected)
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil || !strings.Contains(string(text), "kind: CustomResourceDefinition") {
					t.Errorf("no definition in %s (%v)", path, err)
				}
			}
		})
	}
}

func TestUnknownDefinitionsAreReported(t *testing.T) {
	output, err := exec.Command("./testbed", "crds", "gke").CombinedOutput()
	if err == nil || !strings.Contains(string(output), `no CRDs of "gke" here; choose one of argocd, argocd/3.5, certmanager, `) {
		t.Errorf("%v\n%s", err, output)
	}
}
