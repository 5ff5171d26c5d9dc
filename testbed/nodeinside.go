package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// revived are those whose end Pods outlive.
var revived = []string{"containerd", "kubelet"}

// runNodeInside returns when a component has died. The arguments: folder and number of the Node, process ids of the launcher
// and of the machine as they are outside, and those of "testbed node". File 3 listens outside.
func runNodeInside(ctx context.Context, args []string) error {
	options, err := parseNode(args[4:])
	if err != nil {
		return err
	}
	all, err := chooseNodePrograms(options.version)
	if err != nil {
		return err
	}
	number, noNumber := strconv.Atoi(args[1])
	launcher, noLauncher := strconv.Atoi(args[2])
	if err := errors.Join(noNumber, noLauncher); err != nil {
		return err
	}
	n := realNode{number, runDir{path: args[0]}, all}
	if number == 2 {
		programs := &controlPlane{programs: all.programSet, dir: n.dir}
		if err := takeSteps(n.steps(ctx, programs, options), true); err != nil {
			return err
		}
		return programs.firstDeath(ctx, options.revive)
	}
	door, err := net.FileListener(os.NewFile(3, "door"))
	if err != nil {
		return err
	}
	plane := &controlPlane{programs: all.programSet, dir: runDir{path: filepath.Dir(args[0])}, address: n.address(), controllers: "*"}
	plane.apiserverArgs = append([]string{
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
		"--kubelet-client-certificate=" + plane.pki("admin.crt"), "--kubelet-client-key=" + plane.pki("admin.key"),
		"--kubelet-certificate-authority=" + plane.pki("ca.crt"), "--kubelet-preferred-address-types=InternalIP",
	}, options.apiserverArgs...)
	steps := slices.Concat(plane.steps(ctx), []step{
		{"kube-scheduler", plane.startScheduler},
		{n.name() + "'s certificates", func() error { return n.join(plane) }},
	}, n.steps(ctx, plane, options), []step{
		{n.name(), func() error { return plane.last().waitUntil(ctx, plane.ready(n)) }},
		{"coredns", func() error { return n.startDNS(ctx, plane) }},
	})
	if options.nodes == 2 {
		steps = append(steps, step{"node2", func() error { return startSecond(ctx, plane, all, args[4:]) }})
	}
	if err := takeSteps(steps, options.quiet); err != nil {
		return err
	}
	go forward(door, strings.TrimPrefix(plane.server, "https://"))
	plane.server = "https://" + door.Addr().String() // as it is reached outside
	if err := plane.announce(os.Stdout, launcher, [2]string{"NODE_PID", args[3]}, [2]string{"JOB_IMAGE", jobImage}); err != nil {
		return err
	}
	return plane.firstDeath(ctx, options.revive)
}

// firstDeath returns when a component has died that is not revived, with the end of its log.
func (p *controlPlane) firstDeath(ctx context.Context, revive bool) error {
	died := make(chan error)
	for _, c := range p.components {
		go func() { died <- c.outlive(ctx, revive && slices.Contains(revived, c.name)) }()
	}
	return <-died
}

func (p *controlPlane) startScheduler() error {
	kubeconfig := p.pki("scheduler.kubeconfig")
	if err := p.writeKubeconfig(kubeconfig, "system:kube-scheduler"); err != nil {
		return err
	}
	_, err := p.start("kube-scheduler", p.programs.kubernetes.path("kube-scheduler"),
		[]string{"--kubeconfig=" + kubeconfig, "--leader-elect=false", "--secure-port=0"})
	return err
}

func (p *controlPlane) last() *component { return p.components[len(p.components)-1] }

// startSecond runs a second Node in a machine of its own inside the first one's, at the other end of its wire.
func startSecond(ctx context.Context, plane *controlPlane, all nodePrograms, args []string) error {
	n := realNode{2, runDir{path: plane.dir.file("node2")}, all}
	group := cgroup{n.name()}
	if err := errors.Join(n.join(plane), group.create()); err != nil {
		return err
	}
	c, err := startCommand(plane.dir, n.name(), newMachine(n, group, args))
	if err != nil {
		return err
	}
	plane.components = append(plane.components, c)
	if err := feed("", "ip", "link", "set", wire[1], "netns", strconv.Itoa(c.cmd.Process.Pid)); err != nil {
		return err
	}
	return c.waitUntil(ctx, plane.ready(n))
}

// ready asks whether the Node is.
func (p *controlPlane) ready(n realNode) func(context.Context) error {
	return func(context.Context) error {
		return feed("", p.programs.kubernetes.path("kubectl"), "--kubeconfig="+p.pki("scheduler.kubeconfig"), "wait", "--for=condition=Ready",
			"--timeout=5s", "node/"+n.name())
	}
}

// startDNS runs CoreDNS on the Node's address, behind the Service that Pods know it by.
func (n realNode) startDNS(ctx context.Context, plane *controlPlane) error {
	kubeconfig := n.dir.file("pki", "coredns.kubeconfig")
	if err := plane.writeKubeconfig(kubeconfig, "testbed-dns", adminGroup); err != nil {
		return err
	}
	if err := feed("", plane.programs.kubernetes.path("kubectl"), "--kubeconfig="+kubeconfig, "create", "--filename="+n.config("kube-dns.yaml")); err != nil {
		return err
	}
	c, err := plane.start("coredns", n.all.coredns.path("coredns"), []string{"-conf=" + n.config("Corefile")})
	if err != nil {
		return err
	}
	return c.waitUntil(ctx, listens("tcp", n.address()+":53"))
}

// forward leads who knocks at the door to the address.
func forward(door net.Listener, address string) {
	for {
		client, err := door.Accept()
		if err != nil {
			return
		}
		go func() {
			defer client.Close()
			server, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			defer server.Close()
			ended := make(chan struct{}, 2)
			for _, way := range [][2]net.Conn{{server, client}, {client, server}} {
				go func() { _, _ = io.Copy(way[0], way[1]); ended <- struct{}{} }()
			}
			<-ended
		}()
	}
}
