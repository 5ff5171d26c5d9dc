package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// signOfLife is how often a running build says that it is still at it.
const signOfLife = 10 * time.Second

// build makes the programs that are not in the cache and reports whether there was any. It may be called by several
// processes at once: one builds, the others wait for it.
func (s programSet) build(ctx context.Context) (bool, error) {
	return buildAll(ctx, s.etcd, s.kubernetes)
}

func (p nodePrograms) build(ctx context.Context) (bool, error) {
	return buildAll(ctx, p.etcd, p.kubernetes, p.node, p.containerd, p.cni, p.coredns, p.pause)
}

func buildAll(ctx context.Context, modules ...module) (bool, error) {
	built := false
	for _, m := range modules {
		did, err := m.build(ctx)
		if err != nil {
			return built, err
		}
		built = built || did
	}
	return built, nil
}

func (m module) build(ctx context.Context) (bool, error) {
	if len(m.missing()) == 0 {
		return false, nil
	}
	if err := os.MkdirAll(m.binaries, 0o755); err != nil {
		return false, err
	}
	lock, err := m.lock(ctx)
	if err != nil {
		return false, err
	}
	defer lock.release()
	for _, p := range m.missing() { // another process may have built them while we waited
		if err := m.buildProgram(ctx, p); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (m module) missing() []program {
	var missing []program
	for _, p := range m.programs {
		if _, err := os.Stat(m.path(p.name)); err != nil {
			missing = append(missing, p)
		}
	}
	return missing
}

// lock waits until no other process builds this module. The kernel gives the lock back when its holder dies.
func (m module) lock(ctx context.Context) (*fileLock, error) {
	defer saySignsOfLife(fmt.Sprintf("waiting for another build of %s", m))()
	for {
		lock, err := tryLock(filepath.Join(m.binaries, "build.lock"))
		if err != errLocked {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// buildProgram compiles under a temporary name, so that a half-written program is never taken for a finished one.
func (m module) buildProgram(ctx context.Context, p program) error {
	label := fmt.Sprintf("%s %s", p.name, m.version)
	progress("%s: building", label)
	begin := time.Now()
	stop := saySignsOfLife(label + ": building")
	defer stop()

	temporary := m.path(p.name) + ".new"
	defer os.Remove(temporary)
	cmd := exec.Command(os.Getenv("TESTBED_GO"), "build", "-trimpath", "-buildvcs=false", "-ldflags", m.ldflags, "-tags", m.tags, "-o", temporary, p.mainPkg)
	cmd.Dir = m.folder
	cmd.Env = goEnvironment()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := startTied(cmd); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if refusal := findRefusal(label, output.Bytes()); refusal != nil {
			return refusal
		}
		return fmt.Errorf("%s does not build (%w) in %s:\n%s", label, err, m.folder, lastLines(output.Bytes(), 20))
	}
	if err := os.Rename(temporary, m.path(p.name)); err != nil {
		return err
	}
	progress("%s: built in %.0f s", label, time.Since(begin).Seconds())
	return nil
}

// goEnvironment keeps Go to what the module says, for this machine. The compiler collects its garbage seldom: that is a
// sixth of its work, and a build has the memory.
func goEnvironment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=auto", "GOWORK=off", "GOOS=", "GOARCH=", "GOGC=800")
}

// saySignsOfLife prints the text with the seconds that passed, again and again until stop is called.
func saySignsOfLife(text string) (stop func()) {
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		ticker := time.NewTicker(signOfLife)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				progress("%s, %.0f s", text, time.Since(begin).Seconds())
			}
		}
	}()
	return func() { close(done) }
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "testbed: "+format+"\n", args...)
}
