package main

import (
	"errors"
	"testing"
)

func TestRefusal(t *testing.T) {
	output := "go: downloading example.org/a v1.2.3\n" +
		"main.go:38:2: example.org/a/v2@v2.3.4: reading https://proxy.example/example.org/a/v2/@v/v2.3.4.zip: 403 Forbidden\n" +
		"\tserver response: This module version is not available.\n"
	err := findRefusal("a tool 2.3.4", []byte(output))
	var found refusal
	if !errors.As(err, &found) {
		t.Fatalf("got %v", err)
	}
	want := "a tool 2.3.4 cannot be had: the Go module proxy refuses example.org/a/v2@v2.3.4 (403 Forbidden)"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

func TestRefusedToolchain(t *testing.T) {
	for output, want := range map[string]string{
		"go: download go1.27.3: golang.org/toolchain@v0.0.1-go1.27.3.linux-amd64: reading https://proxy.example/v0.0.1-go1.27.3.linux-amd64.zip: 403 Forbidden\n": "a tool cannot be had: the Go module proxy refuses golang.org/toolchain@v0.0.1-go1.27.3.linux-amd64 (403 Forbidden)",
		"go: download go1.27.3 for linux/amd64: toolchain not available\n":                                                                                        "a tool cannot be had: the Go module proxy refuses go1.27.3 (toolchain not available)",
	} {
		if err := findRefusal("a tool", []byte(output)); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestWhatIsNoRefusal(t *testing.T) {
	for name, output := range map[string]string{
		"it does not compile":     "./main.go:3:5: undefined: x\n",
		"the proxy is in trouble": "a.example/a@v1.0.0: reading https://proxy.example/a.zip: 502 Bad Gateway\n",
		"there is no network":     "a.example/a@v1.0.0: Get \"https://proxy.example/a.zip\": dial tcp: lookup proxy.example: no such host\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := findRefusal("a tool", []byte(output)); err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}
