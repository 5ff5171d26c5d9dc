package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
)

const (
	apiServer           = "kube-apiserver"
	loopback            = "127.0.0.1"
	serviceRange        = "10.96.0.0/16"
	firstServiceAddress = "10.96.0.1"
)

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

// controllers are those that Jobs, StatefulSets, their Pods and the namespaces around them need, and those that keep what is
// in use and let the rest go.
var controllers = strings.Join([]string{
	"job-controller", "cronjob-controller", "ttl-after-finished-controller",
	"garbage-collector-controller", "namespace-controller", "resourcequota-controller",
	"serviceaccount-controller", "serviceaccount-token-controller",
	"root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller",
	"volumeattributesclass-protection-controller", "persistentvolume-protection-controller",
	"persistentvolumeclaim-protection-controller", "statefulset-controller",
}, ",")

// withoutNode is how the API server is told that Pods are played, and that there is no kube-proxy.
var withoutNode = []string{
	"--authorization-mode=RBAC",
	"--endpoint-reconciler-type=none",  // endpoints may not be loopback addresses
	"--enable-aggregator-routing=true", // a Service's Pods are asked directly
}

// deploymentControllers are those that make Pods of Deployments.
const deploymentControllers = "deployment-controller,replicaset-controller"

// A controlPlane starts its components one after the other and ends them the other way round.
type controlPlane struct {
	programs      programSet
	dir           runDir
	ids           *identities
	address       string // of the API server
	apiserverArgs []string
	controllers   string

	server     string // URL of the API server, once it runs
	components []*component
}

// startEtcd returns the URL for clients. TLS makes sure that nobody talks to the etcd of another test bed.
func (p *controlPlane) startEtcd(ctx context.Context) (url string, err error) {
	err = p.startOnFreePorts(ctx, "etcd", p.programs.etcd.path("etcd"), func(ports []int) ([]string, func(context.Context) error) {
		url = fmt.Sprintf("https://127.0.0.1:%d", ports[0])
		peers := fmt.Sprintf("https://127.0.0.1:%d", ports[1])
		args := []string{
			"--name=testbed", "--data-dir=" + p.dir.file("etcd"), "--unsafe-no-fsync", "--log-level=warn",
			"--listen-client-urls=" + url, "--advertise-client-urls=" + url,
			"--listen-peer-urls=" + peers, "--initial-advertise-peer-urls=" + peers, "--initial-cluster=testbed=" + peers,
		}
		for _, prefix := range []string{"--", "--peer-"} {
			args = append(args, prefix+"client-cert-auth", prefix+"trusted-ca-file="+p.pki("ca.crt"),
				prefix+"cert-file="+p.pki("etcd.crt"), prefix+"key-file="+p.pki("etcd.key"))
		}
		client := newAPIClient(url, p.ids.cluster, p.ids.admin)
		return args, func(ctx context.Context) error {
			return client.expectText(ctx, "/health", `{"health":"true","reason":""}`)
		}
	})
	return url, err
}

// startAPIServer returns when /readyz says ok: earlier kube-controller-manager would end on missing RBAC rules.
func (p *controlPlane) startAPIServer(ctx context.Context, etcd string) error {
	policy := p.dir.file("audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	return p.startOnFreePorts(ctx, apiServer, p.programs.kubernetes.path(apiServer), func(ports []int) ([]string, func(context.Context) error) {
		p.server = fmt.Sprintf("https://%s:%d", p.address, ports[0])
		args := []string{
			"--etcd-servers=" + etcd, "--etcd-cafile=" + p.pki("ca.crt"),
			"--etcd-certfile=" + p.pki("etcd.crt"), "--etcd-keyfile=" + p.pki("etcd.key"),
			"--bind-address=" + p.address, "--advertise-address=" + p.address, fmt.Sprintf("--secure-port=%d", ports[0]),
			"--tls-cert-file=" + p.pki("apiserver.crt"), "--tls-private-key-file=" + p.pki("apiserver.key"),
			"--client-ca-file=" + p.pki("ca.crt"),
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file=" + p.pki("service-accounts.pub"),
			"--service-account-signing-key-file=" + p.pki("service-accounts.key"),
			"--service-cluster-ip-range=" + serviceRange, "--allow-privileged=true",
			"--audit-policy-file=" + policy, "--audit-log-path=" + p.auditLog(),
		}
		client := newAPIClient(p.server, p.ids.cluster, p.ids.admin)
		return append(args, p.apiserverArgs...), func(ctx context.Context) error { return client.expectText(ctx, "/readyz", "ok") }
	})
}

// bindAdmins gives the administrators' group its rights; masters have theirs without anything being stored.
func (p *controlPlane) bindAdmins(ctx context.Context) error {
	type object = map[string]any
	client := newAPIClient(p.server, p.ids.cluster, p.ids.superAdmin)
	return client.call(ctx, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", object{
		"apiVersion": "rbac.authorization.k8s.io/v1",
		"kind":       "ClusterRoleBinding",
		"metadata":   object{"name": adminGroup},
		"roleRef":    object{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
		"subjects":   []object{{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": adminGroup}},
	}, nil)
}

// startControllers returns when the default namespace has what Pods need.
func (p *controlPlane) startControllers(ctx context.Context) error {
	kubeconfig := p.pki("controller-manager.kubeconfig")
	if err := p.writeKubeconfig(kubeconfig, "system:kube-controller-manager"); err != nil {
		return err
	}
	c, err := p.start("kube-controller-manager", p.programs.kubernetes.path("kube-controller-manager"), []string{
		"--kubeconfig=" + kubeconfig, "--use-service-account-credentials", "--leader-elect=false",
		"--controllers=" + p.controllers, "--secure-port=0",
		"--root-ca-file=" + p.pki("ca.crt"), "--service-account-private-key-file=" + p.pki("service-accounts.key"),
		"--kube-api-qps=500", "--kube-api-burst=1000", // the defaults are for thousands of nodes, not for quick tests
	})
	if err != nil {
		return err
	}
	client := newAPIClient(p.server, p.ids.cluster, p.ids.admin)
	return c.waitUntil(ctx, func(ctx context.Context) error {
		for _, path := range []string{"serviceaccounts/default", "configmaps/kube-root-ca.crt"} {
			if err := client.call(ctx, "GET", "/api/v1/namespaces/default/"+path, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeKubeconfig writes the file by which a program is this user.
func (p *controlPlane) writeKubeconfig(path, user string, groups ...string) error {
	pair, err := p.ids.cluster.user(user, groups...)
	return errors.Join(err, os.WriteFile(path, p.ids.kubeconfig(p.server, pair), 0o600))
}

// startOnFreePorts starts a component on free ports and waits until it is ready; it tries new ports once if somebody
// took one in between.
func (p *controlPlane) startOnFreePorts(ctx context.Context, name, path string,
	configure func(ports []int) (args []string, ready func(context.Context) error)) error {
	for attempt := 1; ; attempt++ {
		ports, err := freePorts(2)
		if err != nil {
			return err
		}
		args, ready := configure(ports)
		c, err := p.start(name, path, args)
		if err != nil {
			return err
		}
		err = c.waitUntil(ctx, ready)
		if err == nil || attempt == 2 || !c.lostPort() {
			return err
		}
		p.components = slices.DeleteFunc(p.components, func(other *component) bool { return other == c })
	}
}

func (p *controlPlane) start(name, path string, args []string) (*component, error) {
	c, err := startComponent(p.dir, name, path, args)
	if err == nil {
		p.components = append(p.components, c)
	}
	return c, err
}

// stop ends all components, the last one started first.
func (p *controlPlane) stop() {
	for i := len(p.components) - 1; i >= 0; i-- {
		p.components[i].stop()
	}
}

func (p *controlPlane) pki(name string) string { return p.dir.file("pki", name) }
func (p *controlPlane) auditLog() string       { return p.dir.file("logs", "audit.log") }

// freePorts asks the kernel for ports of 127.0.0.1 that nobody listens on.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("no free port on 127.0.0.1: %w", err)
		}
		defer listener.Close() // not before all are found, or the same one comes twice
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
