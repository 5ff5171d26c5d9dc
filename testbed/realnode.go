package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	firstNodeAddress = "192.168.77.10"
	allPods          = "10.244.0.0/16"
	containerdSocket = "/run/containerd/containerd.sock"
	dnsAddress       = "10.96.0.10"
	pauseImage       = "localhost/pause:1"
	jobImage         = "localhost/job:1"
)

// A realNode is a Node's programs, in a machine that was made for them.
type realNode struct {
	number int
	dir    runDir // of this Node, in that of the run
	all    nodePrograms
}

func firstNode(run runDir) realNode { return realNode{number: 1, dir: runDir{path: run.file("node1")}} }

func (n realNode) name() string    { return fmt.Sprintf("node%d", n.number) }
func (n realNode) address() string { return fmt.Sprintf("192.168.77.%d", 9+n.number) }
func (n realNode) pods() string    { return fmt.Sprintf("10.244.%d.0/24", n.number-1) }

func (n realNode) config(name string) string { return n.dir.file("config", name) }

// join lets the Node's programs in.
func (n realNode) join(plane *controlPlane) error {
	for _, folder := range []string{n.dir.logs(), n.dir.pki(), n.config("")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	pki := func(name string) string { return n.dir.file("pki", name) }
	serving, err := plane.ids.cluster.server(n.name(), []string{n.name()}, n.address())
	return errors.Join(err,
		os.WriteFile(pki("ca.crt"), plane.ids.cluster.pem, 0o600),
		serving.write(pki("kubelet.crt"), pki("kubelet.key")),
		plane.writeKubeconfig(pki("kubelet.kubeconfig"), "system:node:"+n.name(), "system:nodes"),
		plane.writeKubeconfig(pki("kube-proxy.kubeconfig"), "system:kube-proxy"))
}

// steps start the programs, as components of the given one.
func (n realNode) steps(ctx context.Context, programs *controlPlane, options nodeOptions) []step {
	kubernetes := func(name string, args ...string) error {
		_, err := programs.start(name, programs.programs.kubernetes.path(name), append(args, "--config="+n.config(name+".yaml"), "--hostname-override="+n.name()))
		return err
	}
	return []step{
		{"containerd", func() error { return n.startContainerd(ctx, programs) }},
		{"images", func() error { return n.importImages(options) }},
		{"kube-proxy", func() error { return kubernetes("kube-proxy") }},
		{"kubelet", func() error {
			return kubernetes("kubelet", "--kubeconfig="+n.dir.file("pki", "kubelet.kubeconfig"), "--root-dir="+n.dir.file("kubelet"), "--node-ip="+n.address())
		}},
	}
}

// configure writes the files of the folder "node", with what their variables are for this Node.
func (n realNode) configure() error {
	runc, noRunc := exec.LookPath("runc")
	mode, noMode := proxyMode()
	if err := errors.Join(noRunc, noMode); err != nil {
		return err
	}
	values := map[string]string{
		"DIR": n.dir.path, "PKI": n.dir.pki(), "ADDRESS": n.address(), "DNS": dnsAddress, "PODS": n.pods(), "ALL_PODS": allPods,
		"PAUSE": pauseImage, "RUNC": runc, "PLUGINS": n.all.cni.binaries, "MODE": mode,
	}
	files, _ := filepath.Glob(filepath.Join(sourceFolder(), "node", "*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = []byte(os.Expand(string(text), func(name string) string { return values[name] }))
		if err := os.WriteFile(n.config(filepath.Base(file)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (n realNode) startContainerd(ctx context.Context, programs *controlPlane) error {
	// containerd looks for its shim there
	if err := errors.Join(n.configure(), os.Setenv("PATH", n.all.containerd.binaries+":"+os.Getenv("PATH"))); err != nil {
		return err
	}
	c, err := programs.start("containerd", n.all.containerd.path("containerd"), []string{"--config=" + n.config("containerd.toml")})
	if err != nil {
		return err
	}
	return c.waitUntil(ctx, listens("unix", containerdSocket))
}

// importImages gives containerd the images that Pods are made of, and those that were asked for.
func (n realNode) importImages(asked nodeOptions) error {
	pause := image{name: pauseImage, program: n.all.pause.path("pause"), path: "bin/pause", entry: []string{"/bin/pause"}}
	job := image{name: jobImage, program: pause.program, path: "bin/sh"}
	if busybox, err := exec.LookPath("busybox"); err == nil {
		names, err := exec.Command(busybox, "--list-full").Output()
		if err != nil {
			return err
		}
		job.program, job.path, job.links = busybox, "busybox", strings.Fields(string(names))
	}
	own := []image{pause, job}
	for _, asked := range asked.jobs {
		job.name, job.entry = asked[0], []string{"/bin/sh", "-c", asked[1]}
		own = append(own, job)
	}
	archives := slices.Clone(asked.images)
	for i, image := range own {
		archives = append(archives, n.config(fmt.Sprintf("image%d.tar", i)))
		if err := image.archive(archives[len(archives)-1]); err != nil {
			return err
		}
	}
	for _, archive := range archives {
		if err := feed("", n.all.containerd.path("ctr"), "--address", containerdSocket, "--namespace", "k8s.io", "images", "import", archive); err != nil {
			return err
		}
	}
	return nil
}

// listens asks whether anybody does.
func listens(network, address string) func(context.Context) error {
	return func(context.Context) error {
		connection, err := net.Dial(network, address)
		if err == nil {
			_ = connection.Close()
		}
		return err
	}
}
