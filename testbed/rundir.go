package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const lockName = "testbed.lock"

// A runDir is the folder of one running control plane. The lock in it is held as long as its launcher lives.
type runDir struct {
	path string
	lock *fileLock
	keep bool // the user named the folder, so it stays
}

func (d runDir) file(elements ...string) string {
	return filepath.Join(append([]string{d.path}, elements...)...)
}
func (d runDir) logs() string    { return d.file("logs") }
func (d runDir) pki() string     { return d.file("pki") }
func (d runDir) webhook() string { return d.file("webhook") }

// claimRunDir prepares an empty folder: the given one, or a new one in the cache. What dead launchers left in the
// cache is removed.
func claimRunDir(given string) (runDir, error) {
	var dir runDir
	var err error
	if given == "" {
		dir, err = newRunDir(filepath.Join(cacheFolder(), "runs"))
	} else {
		dir, err = claimGiven(given)
	}
	if err != nil {
		return runDir{}, err
	}
	for _, folder := range []string{dir.logs(), dir.pki(), dir.webhook()} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return runDir{}, err
		}
	}
	return dir, os.WriteFile(dir.file(lockName), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
}

func newRunDir(runs string) (runDir, error) {
	if err := os.MkdirAll(runs, 0o700); err != nil {
		return runDir{}, err
	}
	// Held while folders come and go, so that nobody takes a folder for a leftover before its own lock is held.
	guard, err := waitLock(filepath.Join(runs, "runs.lock"))
	if err != nil {
		return runDir{}, err
	}
	defer guard.release()
	removeLeftovers(runs)
	path, err := os.MkdirTemp(runs, "run-")
	if err != nil {
		return runDir{}, err
	}
	lock, err := tryLock(filepath.Join(path, lockName))
	return runDir{path: path, lock: lock}, err
}

func removeLeftovers(runs string) {
	folders, _ := filepath.Glob(filepath.Join(runs, "run-*"))
	for _, folder := range folders {
		if lock, err := tryLock(filepath.Join(folder, lockName)); err == nil {
			os.RemoveAll(folder)
			lock.release()
		}
	}
}

func claimGiven(given string) (runDir, error) {
	path, err := filepath.Abs(given)
	if err != nil {
		return runDir{}, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return runDir{}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return runDir{}, err
	}
	if _, err := os.Stat(filepath.Join(path, lockName)); err != nil && len(entries) > 0 {
		return runDir{}, fmt.Errorf("%s holds files of somebody else; name an empty folder", path)
	}
	lock, err := tryLock(filepath.Join(path, lockName))
	if errors.Is(err, errLocked) {
		return runDir{}, fmt.Errorf("%s is in use; end it with: testbed down %s", path, given)
	}
	for _, entry := range entries {
		if entry.Name() != lockName {
			os.RemoveAll(filepath.Join(path, entry.Name()))
		}
	}
	return runDir{path: path, lock: lock, keep: true}, err
}

// leave gives the folder up, and removes it unless the user named it.
func (d runDir) leave() {
	if !d.keep {
		os.RemoveAll(d.path)
	}
	d.lock.release()
}

// endRun ends the control plane that runs in the folder and returns when it is gone.
func endRun(ctx context.Context, dir string) error {
	lockPath := filepath.Join(dir, lockName)
	text, err := os.ReadFile(lockPath)
	if err != nil {
		return fmt.Errorf("no control plane in %s: %w", dir, err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return fmt.Errorf("%s does not hold a process id; remove the folder", lockPath)
	}
	for asked := false; ; {
		lock, err := tryLock(lockPath)
		if err == nil {
			lock.release()
			return nil
		}
		if !errors.Is(err, errLocked) {
			if _, gone := os.Stat(dir); errors.Is(gone, os.ErrNotExist) {
				return nil
			}
			return err
		}
		if !asked {
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				return fmt.Errorf("process %d cannot be ended: %w", pid, err)
			}
			asked = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
