package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	readyDeadline = 5 * time.Minute
	stopDeadline  = 5 * time.Second
)

// A component is a running program of the control plane whose output goes to a log file.
type component struct {
	name    string
	logPath string
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process is gone
	err     error         // how it ended; valid once ended is closed

	mutex    sync.Mutex // for starting it again while somebody may stop it
	stopping bool
}

func startComponent(dir runDir, name, path string, args []string) (*component, error) {
	return startCommand(dir, name, exec.Command(path, args...))
}

func startCommand(dir runDir, name string, cmd *exec.Cmd) (*component, error) {
	c := &component{name: name, cmd: cmd, logPath: filepath.Join(dir.logs(), name+".log"), ended: make(chan struct{})}
	log, err := os.Create(c.logPath)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.cmd.Dir = dir.path
	c.cmd.Env = append([]string{"GOGC=400"}, os.Environ()...) // memory for CPU time; what is set outside counts
	c.cmd.Stdout, c.cmd.Stderr = log, log
	return c, c.start()
}

func (c *component) start() error {
	if err := startTied(c.cmd); err != nil {
		return fmt.Errorf("%s does not start: %w", c.name, err)
	}
	cmd, ended := c.cmd, c.ended
	go func() {
		c.err = cmd.Wait()
		close(ended)
	}()
	return nil
}

// waitUntil asks again and again until ready returns nil; after the deadline the error of the last try tells why.
func (c *component) waitUntil(ctx context.Context, ready func(context.Context) error) error {
	waiting, cancel := context.WithTimeout(ctx, readyDeadline)
	defer cancel()
	var last error
	for {
		err := ready(waiting)
		if err == nil {
			return nil
		}
		if waiting.Err() == nil {
			last = err
		}
		select {
		case <-c.ended:
			return c.died()
		case <-ctx.Done():
			return ctx.Err()
		case <-waiting.Done():
			return c.failure(fmt.Sprintf("is not ready after %v", readyDeadline), last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *component) died() error { return c.failure("ended by itself", c.err) }

// failure is an error that carries the end of the component's log.
func (c *component) failure(what string, cause error) error {
	if cause != nil {
		what = fmt.Sprintf("%s (%v)", what, cause)
	}
	return fmt.Errorf("%s %s; the end of its log:\n%s", c.name, what, c.logEnd())
}

func (c *component) logEnd() string {
	text, err := os.ReadFile(c.logPath)
	if err != nil {
		return err.Error()
	}
	return lastLines(text, 20)
}

// lostPort tells whether the component ended because somebody else took its port in between.
func (c *component) lostPort() bool {
	select {
	case <-c.ended:
		return strings.Contains(c.logEnd(), "address already in use")
	default:
		return false
	}
}

// startAgain starts a component that has ended as it was started before. Its log goes on.
func (c *component) startAgain() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.stopping {
		return c.died()
	}
	log, err := os.OpenFile(c.logPath, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer log.Close()
	last, lastEnded := c.cmd, c.ended
	c.cmd, c.ended = exec.Command(last.Path, last.Args[1:]...), make(chan struct{})
	c.cmd.Dir, c.cmd.Env, c.cmd.Stdout, c.cmd.Stderr = last.Dir, last.Env, log, log
	if err := c.start(); err != nil {
		c.cmd, c.ended = last, lastEnded
		return err
	}
	return nil
}

// outlive returns when the component has died; one that is revived only when it cannot be started again.
func (c *component) outlive(ctx context.Context, revived bool) error {
	for {
		<-c.running()
		if !revived {
			return c.died()
		}
		pause(ctx, retryPause) // one that dies at once must not keep the machine busy
		if err := c.startAgain(); err != nil {
			return c.died()
		}
	}
}

// running returns what is closed when the process that runs now is gone.
func (c *component) running() <-chan struct{} {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.ended
}

// stop asks the component to end, insists after a while, and returns when it is gone.
func (c *component) stop() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stopping = true
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.ended:
		return
	case <-time.After(stopDeadline):
	}
	_ = c.cmd.Process.Kill()
	<-c.ended
}

func lastLines(text []byte, n int) string {
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return "  " + strings.Join(lines[max(0, len(lines)-n):], "\n  ")
}

var spawnRequests = make(chan func())

// The kernel sends the parent-death signal when the *thread* that started the child ends, so one thread that never
// ends starts all of them.
func init() {
	go func() {
		runtime.LockOSThread()
		for request := range spawnRequests {
			request()
		}
	}()
}

// startTied starts a process that the kernel kills when this one dies, in a process group of its own, so that a
// Ctrl-C in the terminal reaches only us.
func startTied(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
	started := make(chan error)
	spawnRequests <- func() { started <- cmd.Start() }
	return <-started
}

// stdinClosed returns what is closed when stdin has reached its end: whoever started us is gone, or wants us to go.
func stdinClosed() <-chan struct{} {
	closed := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(closed)
	}()
	return closed
}

// runTied runs a program until it ends, stdin reaches its end, or we are interrupted.
func runTied(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("tied: which program? \"testbed help\" lists what it takes")
	}
	c := &component{name: args[0], cmd: exec.Command(args[0], args[1:]...), ended: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = os.Stdout, os.Stderr
	if err := c.start(); err != nil {
		return err
	}
	select {
	case <-c.ended:
		return c.err
	case <-stdinClosed():
		c.stop()
	case <-ctx.Done():
		c.stop()
	}
	return nil
}
