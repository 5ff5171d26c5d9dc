package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// A ticker tells how many periods have passed. It is the kernel's timer and good to some microseconds; Go's own is
// good to a millisecond only.
type ticker struct{ file *os.File }

func newTicker(period time.Duration) (*ticker, error) {
	const monotonic, nonBlocking = 1, syscall.O_NONBLOCK | syscall.O_CLOEXEC
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, monotonic, nonBlocking, 0)
	if errno != 0 {
		return nil, fmt.Errorf("timerfd_create: %w", errno)
	}
	file := os.NewFile(fd, "timer")
	every := syscall.NsecToTimespec(period.Nanoseconds())
	times := [2]syscall.Timespec{every, every} // the period, and the time to the first tick
	_, _, errno = syscall.Syscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0)
	if errno != 0 {
		file.Close()
		return nil, fmt.Errorf("timerfd_settime: %w", errno)
	}
	return &ticker{file}, nil
}

// wait blocks until at least one period has passed since the last call and returns how many have.
func (t *ticker) wait() (int, error) {
	var passed [8]byte
	if _, err := t.file.Read(passed[:]); err != nil {
		return 0, err
	}
	return int(binary.NativeEndian.Uint64(passed[:])), nil
}

func (t *ticker) close() { t.file.Close() }
