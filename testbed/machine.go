package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// newMachine is this program in new namespaces, where runMachineInside goes on.
func newMachine(n realNode, group cgroup, args []string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", append([]string{"machine", n.dir.path, strconv.Itoa(n.number), group.name, strconv.Itoa(os.Getpid())}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
	}
	return cmd
}

// runMachineInside makes the namespaces that it is the first process of into a machine of their own, and runs the programs of
// a Node in it. The arguments: folder and number of the Node, control group, the launcher's process id, and those of "testbed node".
func runMachineInside(args []string, onlyProbe bool) error {
	runtime.LockOSThread()                    // a namespace of control groups belongs to a thread
	outside, err := os.Readlink("/proc/self") // as long as /proc is the one outside
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	n := realNode{number: number, dir: runDir{path: args[0]}}
	if err := n.makeMachine(cgroup{args[2]}); err != nil {
		return refusal{"a Node", err.Error()}
	}
	if onlyProbe {
		return nil
	}
	cmd := exec.Command("/proc/self/exe", append([]string{"node-inside", args[0], args[1], args[3], outside}, args[4:]...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if number == 1 {
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "door")}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// Whose parents have ended is a child of the first process, which has to take note of its end.
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		if err != nil && err != syscall.EINTR {
			return err
		}
		if ended == cmd.Process.Pid {
			return commandEnded(max(status.ExitStatus(), 1))
		}
	}
}

func (n realNode) makeMachine(group cgroup) error {
	folders, second := hierarchies()
	if err := group.enter(); err != nil {
		return err
	}
	if err := syscall.Unshare(syscall.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("no namespace of control groups can be made: %w", err)
	}
	if err := syscall.Sethostname([]byte(n.name())); err != nil {
		return err
	}
	if err := mountMachine(n.dir, folders, second); err != nil {
		return err
	}
	return n.makeNetwork()
}

// mountMachine keeps from this machine what a kubelet, containerd and their plugins write outside of their folders.
func mountMachine(dir runDir, folders []string, second bool) error {
	if err := mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	for _, folder := range []string{"/var", "/etc", "/opt", "/run"} {
		if strings.HasPrefix(dir.path, folder+"/") {
			return fmt.Errorf("the folder %s is below %s, of which a Node has its own; name another one by --dir", filepath.Dir(dir.path), folder)
		}
	}
	for _, folder := range []string{"/var", "/etc", "/opt"} {
		upper, work := dir.file("machine", folder), dir.file("machine", "work", folder)
		if err := errors.Join(os.MkdirAll(upper, 0o755), os.MkdirAll(work, 0o755)); err != nil {
			return err
		}
		options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", folder, upper, work)
		if err := mount("overlay", folder, "overlay", 0, options); err != nil {
			return fmt.Errorf("%w; where the folder of the run is itself on overlay, name another one by --dir", err)
		}
	}
	for _, kind := range []string{"proc", "sysfs"} {
		if err := mount(kind, "/"+strings.TrimSuffix(kind, "fs"), kind, syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
			return err
		}
	}
	if err := mountGroups(folders, second); err != nil {
		return err
	}
	if err := mount("tmpfs", "/run", "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=0755"); err != nil {
		return err
	}
	kubelet := dir.file("kubelet") // what a Pod mounts there can be for others, too
	if err := errors.Join(os.MkdirAll(kubelet, 0o755), mount(kubelet, kubelet, "", syscall.MS_BIND, ""),
		mount("", kubelet, "", syscall.MS_SHARED, "")); err != nil {
		return err
	}
	for name, content := range map[string]string{"hosts": "127.0.0.1 localhost\n", "resolv.conf": "nameserver " + firstNodeAddress + "\n"} {
		path := filepath.Join("/etc", name)
		_ = os.Remove(path) // a link into /run, often
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	// A kubelet sets what is not as it wants it, for the whole machine; so it finds files that say so.
	for name, value := range map[string]string{
		"vm/overcommit_memory": "1", "vm/panic_on_oom": "0", "kernel/panic": "10", "kernel/panic_on_oops": "1",
		"kernel/keys/root_maxkeys": "1000000", "kernel/keys/root_maxbytes": "25000000",
	} {
		file := dir.file("machine", filepath.Base(name))
		if err := errors.Join(os.WriteFile(file, []byte(value+"\n"), 0o644), mount(file, "/proc/sys/"+name, "", syscall.MS_BIND, "")); err != nil {
			return err
		}
	}
	return nil
}

// wire is a pair of devices. Its first end is the first Node's, the other one the second Node's, if there is one.
var wire = []string{"wire1", "wire2"}

// makeNetwork gives the Node its address.
func (n realNode) makeNetwork() error {
	device := wire[n.number-1]
	if n.number == 1 {
		if err := feed("", "ip", "link", "add", wire[0], "type", "veth", "peer", "name", wire[1]); err != nil {
			return err
		}
	}
	// the other end comes from the first Node
	for deadline := time.Now().Add(readyDeadline); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat("/sys/class/net/" + device); err == nil {
			break
		}
	}
	other := realNode{number: 3 - n.number}
	commands := "link set lo up\n" +
		"link set " + device + " up\n" +
		"address add " + n.address() + "/24 dev " + device + "\n" +
		"route add default via 192.168.77.1\n" +
		"route add " + other.pods() + " via " + other.address() + "\n" +
		"link add pods type bridge\n"
	if err := feed(commands, "ip", "-batch", "-"); err != nil {
		return err
	}
	if _, err := os.Stat("/proc/sys/net/bridge"); err != nil {
		return errors.New("the kernel's br_netfilter is not loaded; modprobe br_netfilter")
	}
	if err := os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0); err != nil {
		return err
	}
	_, err := proxyMode()
	return err
}

// proxyMode is how kube-proxy leads Services to Pods here.
func proxyMode() (string, error) {
	const rules = "table ip probe { chain c { type nat hook postrouting priority 100; ct mark 1 fib saddr type local masquerade; }; }"
	nft := feed(rules, "nft", "--check", "--file", "-")
	if nft == nil {
		return "nftables", nil
	}
	if iptables := feed("", "iptables", "--table", "nat", "--list"); iptables != nil {
		return "", fmt.Errorf("neither nft (apt-get install nftables) nor iptables works: %w; %w", nft, iptables)
	}
	return "iptables", nil
}

// feed runs a program with this as its input.
func feed(input, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	var output bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s fails (%w) %s", program, err, strings.Join(strings.Fields(output.String()), " "))
	}
	return nil
}

func mount(source, target, kind string, flags uintptr, data string) error {
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		return fmt.Errorf("%s cannot be mounted (%s): %w", target, kind, err)
	}
	return nil
}
