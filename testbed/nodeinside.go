package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	containerdSocket = "/run/containerd/containerd.sock"
	dnsAddress       = "10.96.0.10"
	pauseImage       = "localhost/pause:1"
	jobImage         = "localhost/job:1"
)

// A realNode is a control plane and the programs of a Node, inside the machine that was made for them.
type realNode struct {
	*controlPlane
	all    nodePrograms
	images []string // archives
}

// runNodeInside returns when a component has died. The arguments: folder of the run, process ids of the launcher and of the
// machine as they are outside, and those of "testbed node". File 3 listens outside.
func runNodeInside(ctx context.Context, args []string) error {
	options, err := parseNode(args[3:])
	if err != nil {
		return err
	}
	launcher, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	door, err := net.FileListener(os.NewFile(3, "door"))
	if err != nil {
		return err
	}
	all, err := chooseNodePrograms(options.version)
	if err != nil {
		return err
	}
	plane := &controlPlane{programs: all.programSet, dir: runDir{path: args[0]}, address: nodeAddress, controllers: "*"}
	plane.apiserverArgs = append([]string{
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
		"--kubelet-client-certificate=" + plane.pki("admin.crt"), "--kubelet-client-key=" + plane.pki("admin.key"),
		"--kubelet-certificate-authority=" + plane.pki("ca.crt"), "--kubelet-preferred-address-types=InternalIP",
	}, options.apiserverArgs...)
	n := &realNode{plane, all, options.images}
	if err := takeSteps(append(plane.steps(ctx), n.steps(ctx)...), options.quiet); err != nil {
		return err
	}
	go forward(door, strings.TrimPrefix(plane.server, "https://"))
	plane.server = "https://" + door.Addr().String() // as it is reached outside
	if err := plane.announce(os.Stdout, launcher, [2]string{"NODE_PID", args[2]}, [2]string{"JOB_IMAGE", jobImage}); err != nil {
		return err
	}
	died := make(chan error)
	for _, c := range plane.components {
		go func() {
			<-c.ended
			died <- c.died()
		}()
	}
	return <-died
}

func (n *realNode) steps(ctx context.Context) []step {
	return []step{
		{"containerd", func() error { return n.startContainerd(ctx) }},
		{"images", n.importImages},
		{"kube-scheduler", func() error {
			_, err := n.startAs("system:kube-scheduler", nil, "kube-scheduler", "--leader-elect=false", "--secure-port=0",
				"--kubeconfig="+n.pki("kube-scheduler.kubeconfig"))
			return err
		}},
		{"kube-proxy", func() error {
			_, err := n.startAs("system:kube-proxy", nil, "kube-proxy", "--config="+n.config("kube-proxy.yaml"), "--hostname-override="+nodeName)
			return err
		}},
		{"coredns", func() error { return n.startDNS(ctx) }},
		{"kubelet", func() error { return n.startKubelet(ctx) }},
	}
}

func (n *realNode) config(name string) string { return n.dir.file("node", name) }

// configure writes the files of the folder "node", with what their variables are in this run.
func (n *realNode) configure() error {
	runc, noRunc := exec.LookPath("runc")
	mode, noMode := proxyMode()
	if err := errors.Join(noRunc, noMode, os.MkdirAll(n.config(""), 0o700)); err != nil {
		return err
	}
	values := map[string]string{
		"DIR": n.dir.path, "PKI": n.dir.pki(), "ADDRESS": nodeAddress, "DNS": dnsAddress, "PODS": podNetwork,
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

func (n *realNode) startContainerd(ctx context.Context) error {
	if err := n.configure(); err != nil {
		return err
	}
	// containerd looks for its shim there
	if err := os.Setenv("PATH", n.all.containerd.binaries+":"+os.Getenv("PATH")); err != nil {
		return err
	}
	c, err := n.start("containerd", n.all.containerd.path("containerd"), []string{"--config=" + n.config("containerd.toml")})
	if err != nil {
		return err
	}
	return c.waitUntil(ctx, listens("unix", containerdSocket))
}

// importImages gives containerd the images that Pods are made of, and those that were asked for.
func (n *realNode) importImages() error {
	pause := image{name: pauseImage, program: n.all.pause.path("pause"), path: "bin/pause", entry: []string{"/bin/pause"}}
	job := image{name: jobImage, program: pause.program, path: "bin/sh"}
	if busybox, err := exec.LookPath("busybox"); err == nil {
		names, err := exec.Command(busybox, "--list-full").Output()
		if err != nil {
			return err
		}
		job.program, job.path, job.links = busybox, "busybox", strings.Fields(string(names))
	}
	archives := []string{n.config("pause.tar"), n.config("job.tar")}
	if err := errors.Join(pause.archive(archives[0]), job.archive(archives[1])); err != nil {
		return err
	}
	for _, archive := range append(archives, n.images...) {
		if err := feed("", n.all.containerd.path("ctr"), "--address", containerdSocket, "--namespace", "k8s.io", "images", "import", archive); err != nil {
			return err
		}
	}
	return nil
}

// startDNS runs CoreDNS on the Node's address, behind the Service that Pods know it by.
func (n *realNode) startDNS(ctx context.Context) error {
	type object = map[string]any
	ports := []object{{"name": "dns", "port": 53, "protocol": "UDP"}, {"name": "dns-tcp", "port": 53, "protocol": "TCP"}}
	client := newAPIClient(n.server, n.ids.cluster, n.ids.superAdmin)
	service := client.call(ctx, "POST", "/api/v1/namespaces/kube-system/services", object{
		"apiVersion": "v1", "kind": "Service", "metadata": object{"name": "kube-dns"},
		"spec": object{"clusterIP": dnsAddress, "ports": ports},
	}, nil)
	slice := client.call(ctx, "POST", "/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices", object{
		"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4", "ports": ports,
		"metadata":  object{"name": "kube-dns", "labels": object{"kubernetes.io/service-name": "kube-dns"}},
		"endpoints": []object{{"addresses": []string{nodeAddress}}},
	}, nil)
	_, kubeconfig := n.kubeconfigOf("coredns", "testbed-dns", adminGroup)
	if err := errors.Join(service, slice, kubeconfig); err != nil {
		return err
	}
	c, err := n.start("coredns", n.all.coredns.path("coredns"), []string{"-conf=" + n.config("Corefile")})
	if err != nil {
		return err
	}
	return c.waitUntil(ctx, listens("tcp", nodeAddress+":53"))
}

// startKubelet returns when the Node is Ready.
func (n *realNode) startKubelet(ctx context.Context) error {
	serving, err := n.ids.cluster.server(nodeName, []string{nodeName}, nodeAddress)
	if err != nil {
		return err
	}
	if err := serving.write(n.pki("kubelet.crt"), n.pki("kubelet.key")); err != nil {
		return err
	}
	c, err := n.startAs("system:node:"+nodeName, []string{"system:nodes"}, "kubelet", "--config="+n.config("kubelet.yaml"),
		"--kubeconfig="+n.pki("kubelet.kubeconfig"), "--root-dir="+n.dir.file("kubelet"), "--hostname-override="+nodeName, "--node-ip="+nodeAddress)
	if err != nil {
		return err
	}
	client := newAPIClient(n.server, n.ids.cluster, n.ids.admin)
	return c.waitUntil(ctx, func(ctx context.Context) error {
		var seen struct {
			Status struct {
				Conditions []struct{ Type, Status, Message string }
			}
		}
		if err := client.call(ctx, "GET", "/api/v1/nodes/"+nodeName, nil, &seen); err != nil {
			return err
		}
		for _, condition := range seen.Status.Conditions {
			if condition.Type == "Ready" && condition.Status == "True" {
				return nil
			}
		}
		return fmt.Errorf("the Node is not Ready: %v", seen.Status.Conditions)
	})
}

// startAs starts a program of Kubernetes, for which there is a kubeconfig of this user.
func (n *realNode) startAs(user string, groups []string, name string, args ...string) (*component, error) {
	if _, err := n.kubeconfigOf(name, user, groups...); err != nil {
		return nil, err
	}
	return n.start(name, n.programs.kubernetes.path(name), args)
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
