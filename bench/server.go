package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	startDeadline = 60 * time.Second
	stopDeadline  = 5 * time.Second
	clockTick     = 10 * time.Millisecond // of /proc: USER_HZ is 100 on every architecture that Go knows
)

var errEnded = errors.New("ended by itself")

// A contender is a program that is measured.
type contender struct {
	name   string
	judges bool   // whether it reads the review, or answers a constant
	code   int    // of its denials; 0 where that is its own affair
	path   string // where it is sent reviews; empty where each of them says
	kinds  bool   // whether it is asked about other kinds than Job, too
	// command is the program with its arguments, given free ports of 127.0.0.1 and a directory with tls.crt and tls.key
	command func(ports [2]int, certificates string) []string
	// environment is added to ours
	environment []string
}

// A server is a running contender.
type server struct {
	contender
	url       string
	authority *x509.CertPool
	logPath   string
	cmd       *exec.Cmd
	begin     time.Time // of its process
	ended     chan struct{}
}

// at is where the server gets a review.
func (s *server) at(r review) string {
	if s.path != "" {
		return s.url + s.path
	}
	return s.url + r.path
}

// start runs a contender on the servers' core; its output goes to a file. It does not wait for anything.
func (b *bench) start(c contender) (*server, error) {
	ports, err := freePorts()
	if err != nil {
		return nil, err
	}
	b.started++
	s := &server{
		contender: c,
		url:       fmt.Sprintf("https://127.0.0.1:%d", ports[0]),
		authority: b.authority,
		logPath:   filepath.Join(b.scratch, fmt.Sprintf("%s-%d.log", c.name, b.started)),
		ended:     make(chan struct{}),
	}
	log, err := os.Create(s.logPath)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := c.command(ports, b.scratch)
	s.cmd = exec.Command(command[0], command[1:]...)
	s.cmd.Dir = b.scratch
	s.cmd.Env = append(os.Environ(), c.environment...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.begin = time.Now()
	if err := b.startPinned(s.cmd); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", c.name, err)
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		close(s.ended)
	}()
	return s, nil
}

// firstAnswer asks on one new connection after the other until the answer is right, and tells how long that took from
// the process's start. The service's choice of a cipher suite is noted for the no-op.
func (b *bench) firstAnswer(ctx context.Context, s *server, r review) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, startDeadline)
	defer cancel()
	for {
		client := newClient(s.authority, 1)
		_, err := newQuestion(ctx, client, s, r)
		client.close()
		if err == nil {
			took := time.Since(s.begin)
			if b.cipherSuite == "" {
				b.cipherSuite = client.cipherSuite
			}
			return took, nil
		}
		select {
		case <-s.ended:
			return 0, s.failed(errEnded)
		case <-ctx.Done():
			return 0, s.failed(fmt.Errorf("no right answer: %w", err))
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// stop asks the process to end, insists after a while, and returns when it is gone.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
		return
	case <-time.After(stopDeadline):
	}
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// cpu is the CPU time, of user and system, that the process has used.
func (s *server) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// the fields after the program's name, which stands in brackets and could hold anything
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const utime, stime = 11, 12
	ticks := int64(0)
	for _, field := range []int{utime, stime} {
		n, err := strconv.ParseInt(fields[field], 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * clockTick, nil
}

// memory is a line of the process's status in MiB: VmRSS is resident now, VmHWM the most that ever was.
func (s *server) memory(line string) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), line+":")
	var kib int
	if _, err := fmt.Sscanf(after, "%d kB", &kib); err != nil {
		return 0, fmt.Errorf("%s of %s: %w", line, s.name, err)
	}
	return kib / 1024, nil
}

// failed is an error with what the server said at the end.
func (s *server) failed(err error) error {
	return fmt.Errorf("%s: %w; the end of its log:\n%s", s.name, err, s.logEnd())
}

func (s *server) logEnd() string {
	text, err := os.ReadFile(s.logPath)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	var end strings.Builder
	for _, line := range lines[max(0, len(lines)-20):] {
		fmt.Fprintf(&end, "  %.300s\n", line)
	}
	return end.String()
}

// startPinned starts a process on the servers' core. The kernel kills it when we die; it has a process group of its
// own, so that a Ctrl-C in the terminal reaches only us.
func (b *bench) startPinned(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	b.spawn <- func() { started <- cmd.Start() }
	return <-started
}

// spawner returns a channel whose functions run on one thread that never ends and is pinned to the given processor: a
// child inherits that, and gets the parent-death signal when the *thread* that started it ends.
func spawner(cpu cpuSet) (chan<- func(), error) {
	requests := make(chan func())
	pinned := make(chan error)
	go func() {
		runtime.LockOSThread()
		pinned <- cpu.apply(0)
		for request := range requests {
			request()
		}
	}()
	return requests, <-pinned
}

// freePorts are free now; that nobody takes them in between cannot be promised.
func freePorts() ([2]int, error) {
	var ports [2]int
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return ports, err
		}
		defer listener.Close()
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
