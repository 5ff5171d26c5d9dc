package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"
)

// podNetwork is what Pods have their addresses from; EndpointSlices take none of 127.0.0.0/8.
const (
	podNetwork  = "10.244.0.0/24"
	networkName = "GITOPS_INTERLOCK_POD_NETWORK"
)

// A commandEnded is the exit code of a command that is passed on.
type commandEnded int

func (c commandEnded) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// runPrivate runs a command in a network namespace of its own, where every address of podNetwork is this machine's. The
// command finds the network in a variable; where namespaces cannot be made, it runs without both.
func runPrivate(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return errors.New("private: which command? \"testbed help\" lists what it takes")
	}
	var reason bytes.Buffer
	probe := inPrivateNetwork("true")
	probe.Stderr = &reason
	err := probe.Run()
	c := &component{name: args[0], ended: make(chan struct{})}
	if err == nil {
		c.cmd = inPrivateNetwork(args...)
	} else {
		progress("no network namespace of our own here (%v %s), so no Pod addresses: running without",
			err, strings.TrimSpace(reason.String()))
		c.cmd = exec.Command(args[0], args[1:]...)
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.start(); err != nil {
		return err
	}
	select {
	case <-c.ended:
		var failed *exec.ExitError
		if errors.As(c.err, &failed) && failed.ExitCode() > 0 {
			return commandEnded(failed.ExitCode())
		}
		return c.err
	case <-ctx.Done():
		c.stop()
		return ctx.Err()
	}
}

// inPrivateNetwork is this program in new namespaces, where runPrivateInside goes on.
func inPrivateNetwork(args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", append([]string{"private-inside"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return cmd
}

// runPrivateInside gives the loopback device its addresses and becomes the command.
func runPrivateInside(args []string) error {
	if err := addressLoopback(); err != nil {
		return err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	return syscall.Exec(path, args, append(os.Environ(), networkName+"="+podNetwork))
}

// An interfaceRequest is what Linux calls struct ifreq, with an IPv4 address or flags in it.
type interfaceRequest struct {
	name  [16]byte
	value [24]byte
}

func addressLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	flags := []byte{syscall.IFF_UP, 0}
	for _, step := range []struct {
		device string
		call   uintptr
		value  []byte
	}{
		{"lo", syscall.SIOCSIFFLAGS, flags},
		// all addresses of a loopback device's network are local
		{"lo:pods", syscall.SIOCSIFADDR, ipv4(10, 244, 0, 1)},
		{"lo:pods", syscall.SIOCSIFNETMASK, ipv4(255, 255, 255, 0)},
	} {
		var request interfaceRequest
		copy(request.name[:], step.device)
		copy(request.value[:], step.value)
		if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), step.call, uintptr(unsafe.Pointer(&request))); failed != 0 {
			return fmt.Errorf("%s cannot be set up: %w", step.device, failed)
		}
	}
	return nil
}

// ipv4 is a struct sockaddr_in.
func ipv4(address ...byte) []byte {
	return append([]byte{syscall.AF_INET, 0, 0, 0}, address...)
}
