package main

import (
	"errors"
	"os"
	"syscall"
)

var errLocked = errors.New("locked by another process")

// A fileLock is held until it is released or its process ends, however it ends.
type fileLock struct{ file *os.File }

// tryLock never waits: it returns errLocked when somebody else holds the lock.
func tryLock(path string) (*fileLock, error) { return lockFile(path, syscall.LOCK_EX|syscall.LOCK_NB) }

// waitLock is for locks that are held for a moment only.
func waitLock(path string) (*fileLock, error) { return lockFile(path, syscall.LOCK_EX) }

func lockFile(path string, how int) (*fileLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), how)
		if err != syscall.EINTR {
			break
		}
	}
	if err == nil {
		return &fileLock{file}, nil
	}
	file.Close()
	if err == syscall.EWOULDBLOCK {
		return nil, errLocked
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}

func (l *fileLock) release() { l.file.Close() }
