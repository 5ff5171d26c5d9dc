package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// A container is how a Pod's program sees the machine: a root that nobody can write to, with folders mounted into it.
type container struct {
	root        string
	mounts      map[string]string // from a path inside to a folder of this machine
	environment []string
	user        int
	bare        bool // not even that: an ordinary process with these variables
}

// runContainer runs a program in a root of its own until it ends or stdin closes. Its process id is this one's child's;
// the network and the processes are ours.
func runContainer(ctx context.Context, args []string) error {
	wanted, command, err := parseContainer(args)
	if err != nil {
		return err
	}
	if wanted.bare {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = wanted.environment
		return runTiedUntil(ctx, cmd)
	}
	root, err := os.MkdirTemp("", "container-")
	if err != nil {
		return err
	}
	defer os.Remove(root) // what it becomes is seen by the container alone
	cmd := exec.Command("/proc/self/exe", append([]string{"container-inside", root}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	return runTiedUntil(ctx, cmd)
}

// runTiedUntil runs a command until it ends, or kills it when stdin closes. SIGTERM it gets, and takes the time it wants.
func runTiedUntil(ctx context.Context, cmd *exec.Cmd) error {
	c := &component{name: "container", cmd: cmd, ended: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = os.Stdout, os.Stderr
	if err := c.start(); err != nil {
		return err
	}
	closed := stdinClosed()
	select {
	case <-c.ended:
		return c.err
	case <-closed:
		_ = c.cmd.Process.Kill() // who wants it to end in peace sends SIGTERM
		<-c.ended
	case <-ctx.Done():
		_ = c.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-c.ended: // however long it takes: the grace period is for whoever asked
		case <-closed:
			_ = c.cmd.Process.Kill()
			<-c.ended
		}
	}
	return nil
}

func parseContainer(args []string) (c container, command []string, err error) {
	c.mounts = map[string]string{}
	flags := newFlags("container")
	flags.StringVar(&c.root, "root", "/", "")
	flags.IntVar(&c.user, "user", 65532, "")
	flags.BoolVar(&c.bare, "bare", false, "")
	flags.Func("env", "", func(value string) error {
		c.environment = append(c.environment, value)
		return nil
	})
	flags.Func("mount", "", func(value string) error {
		source, point, valid := strings.Cut(value, ":")
		if !valid || !filepath.IsAbs(source) || !filepath.IsAbs(point) {
			return fmt.Errorf("%q is not FOLDER:PATH", value)
		}
		c.mounts[filepath.Clean(point)] = source
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return c, nil, fmt.Errorf("container: %w; \"testbed help\" lists what it takes", err)
	}
	if c.root != "/" {
		for _, kernel := range []string{"/dev", "/proc", "/sys"} { // what every container runtime puts in
			c.mounts[kernel] = kernel
		}
	}
	if c.bare && (c.root != "/" || len(c.mounts) > 0) {
		return c, nil, errors.New("container: --bare has no root of its own, so nothing can be mounted")
	}
	if flags.NArg() == 0 {
		return c, nil, errors.New("container: which program? \"testbed help\" lists what it takes")
	}
	return c, flags.Args(), nil
}

// runContainerInside puts the root together in the empty folder that comes first, and becomes the program.
func runContainerInside(args []string) error {
	runtime.LockOSThread() // what ends us with our parent belongs to a thread, the one that becomes the program
	root := args[0]
	c, command, err := parseContainer(args[1:])
	if err != nil {
		return err
	}
	// nothing that is mounted from here on is seen outside
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("container: mounts cannot be made private: %w", err)
	}
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "mode=0755"); err != nil {
		return fmt.Errorf("container: %w", err)
	}
	if err := c.place(c.root, root, "/"); err != nil {
		return err
	}
	if err := readOnly(root); err != nil {
		return fmt.Errorf("container: its root cannot be made read-only: %w", err)
	}
	if err := syscall.Chroot(root); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	if err := become(c.user); err != nil {
		return err
	}
	// another user is not ended with us any more, until it is said again
	if _, _, failed := syscall.Syscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0); failed != 0 {
		return failed
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	return syscall.Exec(path, command, c.environment)
}

// place shows a file or folder at a path inside. Folders above a mount are made anew, with everything else that is in
// them: the mount's own folder need not exist.
func (c container) place(source, target, inside string) error {
	if from, mounted := c.mounts[inside]; mounted {
		source = from
	} else if names := c.mountsBelow(inside); len(names) > 0 {
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
		entries, err := os.ReadDir(source) // a link is followed: the mount is where the link leads
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, entry := range entries {
			names[entry.Name()] = true
		}
		for name := range names {
			if err := c.place(filepath.Join(source, name), filepath.Join(target, name), filepath.Join(inside, name)); err != nil {
				return err
			}
		}
		return nil
	}
	info, err := os.Lstat(source)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		to, err := os.Readlink(source)
		if err != nil {
			return err
		}
		return os.Symlink(to, target)
	case info.IsDir():
		err = os.MkdirAll(target, 0o755)
	default:
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := syscall.Mount(source, target, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return fmt.Errorf("%s cannot be mounted: %w", source, err)
	}
	return nil
}

// mountsBelow is the names in a folder that lead to mounts.
func (c container) mountsBelow(inside string) map[string]bool {
	names := map[string]bool{}
	prefix := strings.TrimSuffix(inside, "/") + "/"
	for point := range c.mounts {
		if rest, below := strings.CutPrefix(point, prefix); below {
			name, _, _ := strings.Cut(rest, "/")
			names[name] = true
		}
	}
	return names
}

// readOnly takes writing away from everything below the path, by mount_setattr(2) of Linux 5.12.
func readOnly(path string) error {
	const mountSetattr, atRecursive, mountAttrRdonly = 442, 0x8000, 1
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	attributes := struct{ set, clear, propagation, userns uint64 }{set: mountAttrRdonly}
	atCwd := -100
	if _, _, failed := syscall.Syscall6(mountSetattr, uintptr(atCwd), uintptr(unsafe.Pointer(name)), atRecursive,
		uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0); failed != 0 {
		return failed
	}
	return nil
}

// become changes to a user without any rights, where there is more than one.
func become(user int) error {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return err
	}
	fields := strings.Fields(string(text))
	if users, _ := strconv.Atoi(fields[len(fields)-1]); users <= user {
		return nil
	}
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(user); err != nil {
		return err
	}
	return syscall.Setuid(user)
}
