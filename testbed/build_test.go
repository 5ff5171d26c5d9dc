package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A compiler that never ends.
func endlessModule(t *testing.T) module {
	t.Helper()
	compiler := filepath.Join(t.TempDir(), "go")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\nexec sleep 3600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TESTBED_GO", compiler)
	return module{name: "a tool", version: "2.3.4", folder: t.TempDir(), binaries: t.TempDir(), programs: []program{{"a", "."}}}
}

func TestBuildsEndWhenTheirTimeIsUp(t *testing.T) {
	for name, until := range map[string]time.Time{
		"before the build": time.Now().Add(-time.Hour),
		"while it runs":    time.Now().Add(2 * time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(buildUntil, strconv.FormatInt(until.Unix(), 10))
			_, err := endlessModule(t).build(t.Context())
			var found refusal
			if !errors.As(err, &found) {
				t.Fatalf("got %v", err)
			}
			want := "a tool 2.3.4 cannot be had: it was not built within this run's time (TESTBED_BUILD_UNTIL)"
			if err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		})
	}
}

func TestATimeThatIsNone(t *testing.T) {
	t.Setenv(buildUntil, "tomorrow")
	_, err := endlessModule(t).build(t.Context())
	var found refusal
	if err == nil || errors.As(err, &found) {
		t.Errorf("got %v", err)
	}
}
