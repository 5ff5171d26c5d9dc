package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const greeting = `apiVersion: batch/v1
kind: Job
metadata: {name: greeting}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: greeting, image: ` + jobImage + `, command: [sh, -c, "echo hello; sleep 0.1"]}
`

func TestJobRunsOnARealNodeThatLeavesNothingBehind(t *testing.T) {
	before := traces()
	b := launchBy(t, "node", "--job=example/answer:1=echo hello, too")
	if nodes := b.kubectl("get", "nodes"); !strings.Contains(nodes, "node1   Ready ") {
		t.Error(nodes)
	}
	b.kubectlApply(greeting+"      - {name: answer, image: example/answer:1, args: [politely]}\n", "apply", "--filename=-")
	b.kubectl("wait", "--for=condition=Complete", "job/greeting", "--timeout=60s")
	log := strings.Split(b.kubectl("logs", "job/greeting", "--all-containers"), "\n")
	if slices.Sort(log); !slices.Equal(log, []string{"", "hello", "hello, too"}) { // kubectl takes them as they come
		t.Errorf("it says %q", log)
	}
	b.stdin.Close()
	if err := b.waitForEnd(); err != nil {
		t.Error(err)
	}
	b.nothingMustBeLeft(before)
}

func TestKilledNodesAreSweptByTheNextStart(t *testing.T) {
	before := traces()
	b := launchBy(t, "node", "--nodes=2")
	if nodes := b.kubectl("get", "nodes"); strings.Count(nodes, " Ready ") != 2 {
		t.Error(nodes)
	}
	if err := b.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = b.waitForEnd()
	b.mustBeGone()
	if len(groups(b.vars["PID"])) == 0 {
		t.Error("no control groups were left, so this test shows nothing")
	}
	next := exec.Command("./testbed", "node", "--apiserver-arg=--no-such-flag") // it ends by itself
	if output, err := next.CombinedOutput(); err == nil || !strings.Contains(string(output), "unknown flag: --no-such-flag") {
		t.Errorf("%v\n%s", err, output)
	}
	b.nothingMustBeLeft(before)
}

func TestKilledKubeletAndContainerdComeBackBelowPodsThatRunOn(t *testing.T) {
	b := launchBy(t, "node", "--revive")
	b.kubectlApply(strings.Replace(greeting, "sleep 0.1", "sleep 600", 1), "apply", "--filename=-")
	b.kubectl("wait", "--for=jsonpath={.status.ready}=1", "job/greeting", "--timeout=60s")
	first := b.processes()
	for _, name := range revived {
		if err := syscall.Kill(first[name], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	// which takes a kubelet and a containerd
	b.kubectlApply(strings.ReplaceAll(greeting, "greeting", "second"), "apply", "--filename=-")
	b.kubectl("wait", "--for=condition=Complete", "job/second", "--timeout=120s")
	for _, name := range revived {
		if b.processes()[name] == first[name] {
			t.Errorf("%s was not killed", name)
		}
	}
	if pods := b.kubectl("get", "pods", "--selector=job-name=greeting"); strings.Count(pods, "1/1     Running   0") != 1 {
		t.Error(pods)
	}
}

func TestWhatANodeCannotTakeIsRefusedAtOnce(t *testing.T) {
	for flag, words := range map[string]string{
		"--images=/no/such/file": "/no/such/file: no such file",
		"--job=name":             "it takes NAME=SCRIPT",
		"--job==script":          "it takes NAME=SCRIPT",
		"--nodes=3":              "there can be one or two",
	} {
		if _, err := parseNode([]string{flag}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func (b *bed) nothingMustBeLeft(before string) {
	b.t.Helper()
	b.mustBeGone()
	b.folderMustBeGone()
	if left := groups(b.vars["PID"]); len(left) > 0 {
		b.t.Errorf("control groups are left: %v", left)
	}
	if after := traces(); before != after {
		b.t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func groups(launcher string) []string {
	found, _ := filepath.Glob(filepath.Join(cgroupMount, "*", cgroupPrefix+launcher))
	second, _ := filepath.Glob(filepath.Join(cgroupMount, cgroupPrefix+launcher))
	return append(found, second...)
}

// traces are what this machine shows where a Node would leave something.
func traces() string {
	output, _ := exec.Command("sh", "-c", `cat /proc/self/mountinfo
		grep . /proc/sys/kernel/panic* /proc/sys/vm/*oom* /proc/sys/vm/overcommit_memory /proc/sys/net/ipv4/ip_forward /proc/sys/net/netfilter/nf_conntrack_max
		ls -d /var/lib/kubelet /var/lib/cni /var/lib/containerd /var/log/pods /var/log/containers /etc/cni/* /opt/* /run/containerd /run/netns/*
		ip netns list; ip -brief link; nft --stateless list ruleset`).CombinedOutput()
	return string(output)
}
