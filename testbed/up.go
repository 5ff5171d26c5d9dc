package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

type upOptions struct {
	dir              string
	untilStdinCloses bool
	quiet            bool
	deployments      bool
	reviveAPIServer  bool
	apiserverArgs    []string
}

// up runs a control plane until it is interrupted or a component dies. Nothing that it started is left when it returns.
func up(interrupt context.Context, programs programSet, options upOptions) error {
	ctx, end := context.WithCancelCause(interrupt)
	defer end(nil)
	if options.untilStdinCloses {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			end(context.Canceled)
		}()
	}
	if _, err := programs.build(ctx); err != nil {
		return err
	}
	dir, err := claimRunDir(options.dir)
	if err != nil {
		return err
	}
	defer dir.leave()
	plane := &controlPlane{
		programs: programs, dir: dir, address: loopback, controllers: controllers,
		apiserverArgs: slices.Concat(withoutNode, options.apiserverArgs),
	}
	if options.deployments {
		plane.controllers += "," + deploymentControllers
	}
	defer plane.stop()

	var kubelets sync.WaitGroup
	defer kubelets.Wait()
	defer end(nil) // the kubelet goes first
	if err := takeSteps(plane.steps(ctx), options.quiet); err != nil {
		return err
	}
	kubelets.Go(func() {
		if err := runKubelet(ctx, newAPIClient(plane.server, plane.ids.cluster, plane.ids.kubelet), dir.file("logs", "kubelet.log")); err != nil {
			end(err)
		}
	})
	if err := plane.announce(os.Stdout, os.Getpid()); err != nil {
		return err
	}
	for _, c := range plane.components {
		go func() {
			end(c.outlive(ctx, c.name == apiServer && options.reviveAPIServer))
		}()
	}
	<-ctx.Done()
	if cause := context.Cause(ctx); interrupt.Err() == nil && cause != context.Canceled {
		return cause
	}
	return nil
}

// A step of a start is told with its duration.
type step struct {
	name string
	run  func() error
}

func (p *controlPlane) steps(ctx context.Context) []step {
	var etcd string
	return []step{
		{"certificates", func() (err error) { p.ids, err = newIdentities(p.dir); return err }},
		{"etcd", func() (err error) { etcd, err = p.startEtcd(ctx); return err }},
		{apiServer, func() error { return p.startAPIServer(ctx, etcd) }},
		{"administrators", func() error { return p.bindAdmins(ctx) }},
		{"kube-controller-manager", func() error { return p.startControllers(ctx) }},
	}
}

func takeSteps(steps []step, quiet bool) error {
	for _, step := range steps {
		begin := time.Now()
		if err := step.run(); err != nil {
			return err
		}
		if !quiet {
			progress("%s: ready in %.1f s", step.name, time.Since(begin).Seconds())
		}
	}
	return nil
}

// announce writes how the control plane is reached, to the folder first and then to the given writer.
func (p *controlPlane) announce(out io.Writer, launcher int, more ...[2]string) error {
	kubeconfig := p.dir.file("kubeconfig")
	if err := os.WriteFile(kubeconfig, p.ids.kubeconfig(p.server, p.ids.admin), 0o600); err != nil {
		return err
	}
	superAdmin := p.pki("super-admin.kubeconfig")
	if err := os.WriteFile(superAdmin, p.ids.kubeconfig(p.server, p.ids.superAdmin), 0o600); err != nil {
		return err
	}
	var plain, quoted strings.Builder
	for _, variable := range slices.Concat([][2]string{
		{"KUBECONFIG", kubeconfig},
		{"KUBECTL", p.programs.kubernetes.path("kubectl")},
		{"KUBERNETES_VERSION", p.programs.kubernetes.version},
		{"SERVER", p.server},
		{"CA_FILE", p.pki("ca.crt")},
		{"SUPER_ADMIN_KUBECONFIG", superAdmin},
		{"ADMIN_CERT", p.pki("admin.crt")},
		{"ADMIN_KEY", p.pki("admin.key")},
		{"WEBHOOK_CERT_DIR", p.dir.webhook()},
		{"WEBHOOK_CA_FILE", p.dir.file("webhook", "ca.crt")},
		{"AUDIT_LOG", p.auditLog()},
	}, more, [][2]string{
		{"DIR", p.dir.path},
		{"PID", fmt.Sprint(launcher)},
		{"READY", "true"},
	}) {
		fmt.Fprintf(&plain, "%s=%s\n", variable[0], variable[1])
		fmt.Fprintf(&quoted, "%s=%s\n", variable[0], shellWord(variable[1]))
	}
	// Renamed into place: who sees the file sees all of it.
	temporary := p.dir.file("testbed.env.new")
	if err := os.WriteFile(temporary, []byte(quoted.String()), 0o600); err != nil {
		return err
	}
	if err := os.Rename(temporary, p.dir.file("testbed.env")); err != nil {
		return err
	}
	_, err := io.WriteString(out, plain.String())
	return err
}

var plainWord = regexp.MustCompile(`^[\w./:@%+,-]+$`)

// shellWord quotes a value where a shell would read it otherwise.
func shellWord(value string) string {
	if plainWord.MatchString(value) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
