package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine has no JDK, and a copy of the script beside pins of a test's own.
type machine struct {
	t           *testing.T
	script, bin string
	cache       string
}

func bareMachine(t *testing.T, pins string) machine {
	t.Helper()
	folder := t.TempDir()
	m := machine{t, filepath.Join(folder, "toolchain"), filepath.Join(folder, "bin"), filepath.Join(folder, "cache")}
	script, err := os.ReadFile("toolchain")
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{m.script: string(script), m.script + ".pins": pins} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(m.bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"bash", "sh", "curl", "tar", "gzip", "grep", "uname", "dirname", "readlink", "mkdir", "mktemp", "rm", "mv", "cut", "tail", "sha256sum", "sleep", "du"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(m.bin, program)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m machine) find(variables ...string) (home, said string, err error) {
	var stderr bytes.Buffer
	cmd := exec.Command("bash", m.script, "jdk")
	cmd.Env = append([]string{"PATH=" + m.bin, "HOME=" + m.cache, "GITOPS_INTERLOCK_CACHE=" + m.cache, "TOOLCHAIN_USUAL_PLACES=", "no_proxy=*"}, variables...)
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	return strings.TrimSpace(string(output)), stderr.String(), err
}

// nothingIsLeft of a fetch that failed.
func (m machine) nothingIsLeft() {
	m.t.Helper()
	if left, _ := filepath.Glob(filepath.Join(m.cache, "toolchain", "*")); len(left) > 0 {
		m.t.Errorf("left: %v", left)
	}
}

// jdk is a folder of one, as an archive: its compiler says the version.
func jdk(t *testing.T, version string) []byte {
	t.Helper()
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	files := tar.NewWriter(zipped)
	text := "#!/bin/sh\necho javac " + version + "\n"
	if err := files.WriteHeader(&tar.Header{Name: "jdk-" + version + "/bin/javac", Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	_, _ = files.Write([]byte(text))
	_ = files.Close()
	_ = zipped.Close()
	return archive.Bytes()
}

func pin(url string, archive []byte) string {
	name, _ := exec.Command("uname", "-m").Output()
	return fmt.Sprintf("jdk %s 25.0.1+2 %x %s/jdk.tar.gz\n", strings.TrimSpace(string(name)), sha256.Sum256(archive), url)
}

// serve answers with the whole, or with what is cut off after half.
func serve(t *testing.T, archive []byte, half bool) (url string, requests *int) {
	t.Helper()
	requests = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*requests++
		w.Header().Set("Content-Length", fmt.Sprint(len(archive)))
		if half {
			archive = archive[:len(archive)/2]
		}
		_, _ = w.Write(archive)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestJdkIsFetchedOnceAndKept(t *testing.T) {
	archive := jdk(t, "25.0.1")
	url, requests := serve(t, archive, false)
	m := bareMachine(t, pin(url, archive))
	for range 2 {
		home, said, err := m.find()
		if err != nil || home != filepath.Join(m.cache, "toolchain", "jdk-25.0.1+2") {
			t.Fatalf("%s %v\n%s", home, err, said)
		}
	}
	if *requests != 1 {
		t.Errorf("%d requests", *requests)
	}
}

func TestWhatIsThereComesFirst(t *testing.T) {
	m := bareMachine(t, "")
	here := filepath.Join(t.TempDir(), "a jdk")
	_ = os.MkdirAll(filepath.Join(here, "bin"), 0o700)
	if err := os.WriteFile(filepath.Join(here, "bin", "javac"), []byte("#!/bin/sh\necho javac 25\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if home, said, err := m.find("JAVA_HOME=" + here); err != nil || home != here {
		t.Errorf("%s %v\n%s", home, err, said)
	}
	if home, said, err := m.find("PATH=" + m.bin + ":" + filepath.Join(here, "bin")); err != nil || home != here {
		t.Errorf("%s %v\n%s", home, err, said)
	}
}

func TestWhatCannotBeFetchedIsSaidInOneLine(t *testing.T) {
	archive, other := jdk(t, "25.0.1"), jdk(t, "17.0.1")
	for name, c := range map[string]struct {
		served, pinned []byte
		half           bool
		want           string
	}{
		"another checksum":  {other, archive, false, "/jdk.tar.gz served has SHA-256 "},
		"a broken download": {archive, archive, true, "/jdk.tar.gz could not be fetched (curl: (18) "},
		"another version":   {other, other, false, "/jdk.tar.gz served does not run here: "},
		"no archive":        {[]byte("no"), []byte("no"), false, "/jdk.tar.gz is no archive: "},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, c.served, c.half)
			m := bareMachine(t, pin(url, c.pinned))
			_, said, err := m.find()
			if lines := strings.Split(strings.TrimSpace(said), "\n"); err == nil || !strings.Contains(lines[len(lines)-1], c.want) ||
				!strings.HasSuffix(said, "install the package temurin-25-jdk or openjdk-25-jdk, or point JAVA_HOME at a JDK 25\n") {
				t.Errorf("%v\n%s", err, said)
			}
			m.nothingIsLeft()
		})
	}
	t.Run("no network", func(t *testing.T) {
		m := bareMachine(t, pin("http://127.0.0.1:9", archive))
		if _, said, err := m.find(); err == nil || !strings.Contains(said, "http://127.0.0.1:9/jdk.tar.gz could not be fetched (curl: (7) ") {
			t.Errorf("%v\n%s", err, said)
		}
		m.nothingIsLeft()
	})
	t.Run("another machine", func(t *testing.T) {
		m := bareMachine(t, "")
		if _, said, err := m.find(); err == nil || !strings.HasPrefix(said, "toolchain: no JDK 25 was found, and none is known for Linux on ") {
			t.Errorf("%v\n%s", err, said)
		}
	})
}
