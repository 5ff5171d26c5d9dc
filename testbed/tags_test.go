package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestTagsAreFoundWhereverTheyStand(t *testing.T) {
	api := t.TempDir()
	write(t, filepath.Join(api, "core/v1/types.go"), `
		package v1

		type PodTemplateSpec struct {
			metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
			// +k8s:ifEnabled(SomeGate)=+k8s:update=NoUnset
			Spec PodSpec `+"`json:\"spec\"`"+`
		}
		type PodSpec struct{}
	`)
	write(t, filepath.Join(api, "example/v1/types.go"), `
		package v1

		import corev1 "k8s.io/api/core/v1"

		const GroupName = "example.k8s.io"

		type Rack struct {
			metav1.TypeMeta   `+"`json:\",inline\"`"+`
			metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
			Spec RackSpec     `+"`json:\"spec\"`"+`
			// +k8s:immutable
			Status RackSpec   `+"`json:\"status\"`"+`
		}
		type RackSpec struct {
			Place             `+"`json:\",inline\"`"+`
			// +k8s:required
			Name string       `+"`json:\"name\"`"+`
			Racks []RackSpec  `+"`json:\"racks\"`"+`
			Slots []*Slot     `+"`json:\"slots\"`"+`
			Pods map[string]corev1.PodTemplateSpec `+"`json:\"pods\"`"+`
		}
		type Place struct {
			// +k8s:alpha(since: "1.37")=+k8s:immutable
			Room *string      `+"`json:\"room,omitempty\"`"+`
		}
		// +k8s:immutable
		type Slot struct{}
	`)

	fields, err := taggedFields(api)
	if err != nil {
		t.Fatal(err)
	}

	expected := []taggedField{
		{"example.k8s.io/v1", "Rack", "spec.room", []string{`+k8s:alpha(since: "1.37")=+k8s:immutable`}},
		{"example.k8s.io/v1", "Rack", "spec.slots[*]", []string{"+k8s:immutable"}},
		{"example.k8s.io/v1", "Rack", "spec.pods[*].spec", []string{"+k8s:ifEnabled(SomeGate)=+k8s:update=NoUnset"}},
	}
	if !reflect.DeepEqual(fields, expected) {
		t.Errorf("%v", fields)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
