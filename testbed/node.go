package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

type nodeOptions struct {
	version          string
	dir              string
	untilStdinCloses bool
	quiet            bool
	revive           bool
	nodes            int
	images           []string
	jobs             [][2]string // names of images, and what they run
	apiserverArgs    []string
}

func parseNode(args []string) (nodeOptions, error) {
	options := nodeOptions{nodes: 1}
	flags := newFlags("node")
	flags.StringVar(&options.version, "kubernetes", "", "")
	flags.StringVar(&options.dir, "dir", "", "")
	flags.BoolVar(&options.untilStdinCloses, "until-stdin-closes", false, "")
	flags.BoolVar(&options.quiet, "quiet", false, "")
	flags.BoolVar(&options.revive, "revive", false, "")
	flags.Func("nodes", "", func(number string) (err error) {
		options.nodes, err = strconv.Atoi(number)
		if err == nil && (options.nodes < 1 || options.nodes > 2) {
			err = errors.New("there can be one or two")
		}
		return err
	})
	flags.Func("images", "", func(files string) error {
		for file := range strings.SplitSeq(files, ",") {
			path, err := filepath.Abs(file)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); err != nil {
				return err
			}
			options.images = append(options.images, path)
		}
		return nil
	})
	flags.Func("job", "", func(job string) error {
		name, script, found := strings.Cut(job, "=")
		if !found || name == "" {
			return errors.New("it takes NAME=SCRIPT")
		}
		options.jobs = append(options.jobs, [2]string{name, script})
		return nil
	})
	flags.Func("apiserver-arg", "", func(arg string) error {
		options.apiserverArgs = append(options.apiserverArgs, arg)
		return nil
	})
	return options, parse(flags, args, 0)
}

// A commandEnded is the exit code of a command that is passed on.
type commandEnded int

func (c commandEnded) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// runNode runs a cluster of real Nodes in namespaces and control groups of its own until it is interrupted or a component
// dies. When it returns, nothing is left of them; when it is killed, the kernel ends everything, and the next start removes
// the groups and the folder.
func runNode(interrupt context.Context, args []string) error {
	options, err := parseNode(args)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(interrupt)
	defer end()
	if options.untilStdinCloses {
		go func() {
			<-stdinClosed()
			end()
		}()
	}
	programs, err := chooseNodePrograms(options.version)
	if err != nil {
		return err
	}
	// Tried before anything is built, which takes minutes.
	dir, group, leave, err := claimMachine(ctx, options.dir)
	if err != nil {
		return err
	}
	defer leave()
	if _, err := programs.build(ctx); err != nil {
		return err
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer door.Close()
	file, err := door.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer file.Close()
	err = runMachine(ctx, dir, group, file, args)
	if _, announced := os.Stat(dir.file("testbed.env")); errors.Is(err, context.Canceled) && announced == nil {
		return nil
	}
	return err
}

// claimMachine takes a folder and a control group for a run, once a Node has been found to have there what it needs.
func claimMachine(ctx context.Context, path string) (dir runDir, group cgroup, leave func(), err error) {
	if err = checkMachine(); err != nil {
		return
	}
	if dir, err = claimRunDir(path); err != nil {
		return
	}
	sweepGroups()
	group = ownGroup()
	leave = func() {
		group.remove()
		dir.leave()
	}
	if err = group.create(); err != nil {
		err = refusal{"a Node", err.Error()}
	} else {
		err = runMachine(ctx, dir, group, nil, nil)
	}
	if err != nil {
		leave()
	}
	return
}

// checkMachine is about what can be told without trying.
func checkMachine() error {
	if os.Geteuid() != 0 {
		return refusal{"a Node", "it takes root; run this as root"}
	}
	for _, needed := range [][2]string{{"runc", "runc"}, {"ip", "iproute2"}} {
		if _, err := exec.LookPath(needed[0]); err != nil {
			return refusal{"a Node", fmt.Sprintf("%s is not installed; apt-get install %s", needed[0], needed[1])}
		}
	}
	return nil
}

// runMachine runs the programs of the first Node, for which the arguments are, behind a door of this machine; without a door
// it only tries whether they would find what they need.
func runMachine(ctx context.Context, dir runDir, group cgroup, door *os.File, args []string) error {
	c := &component{name: "a Node", cmd: newMachine(firstNode(dir), group, args), ended: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = os.Stdout, os.Stderr
	if door != nil {
		c.cmd.ExtraFiles = []*os.File{door}
	} else {
		c.cmd.Args[1] = "machine-probe"
	}
	if err := c.start(); err != nil {
		return refusal{"a Node", "no namespaces can be made: " + errors.Unwrap(err).Error()}
	}
	select {
	case <-c.ended:
	case <-ctx.Done():
		_ = c.cmd.Process.Kill() // the first process of its namespace: all others end with it
		<-c.ended
		return ctx.Err()
	}
	var failed *exec.ExitError
	if errors.As(c.err, &failed) && failed.ExitCode() > 0 {
		return commandEnded(failed.ExitCode())
	}
	if c.err != nil {
		return fmt.Errorf("the Node ended by itself: %w", c.err)
	}
	return nil
}
