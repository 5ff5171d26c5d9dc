package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// comparePeers measures the service next to others of its kind, which have the same rule: eight fields of a Job that no
// edit may change. What cannot be had here is left out, and said.
func (b *bench) comparePeers(ctx context.Context, all samples) error {
	bed, err := b.startCluster(ctx)
	if err != nil {
		return err
	}
	defer bed.stop()
	// of the reviews; the others ask for it
	if err := bed.makeNamespace(ctx, "shop"); err != nil {
		return err
	}
	var servers []*server
	defer func() { stopAll(servers) }()

	alone := []contender{b.service("gitops-interlock", boringSSL)}
	var missing []string
	if program, err := bed.tool(ctx, "gowebhook"); err == nil {
		alone = append(alone, goWebhook(program))
	} else if missing, err = leftOut(missing, err); err != nil {
		return err
	}
	alone = append(alone, b.service("gitops-interlock, Java's TLS", javaTLS),
		b.noOp("no-op", boringSSL), b.noOp("no-op, Java's TLS", javaTLS))
	var inCluster []*server
	for _, start := range []func(context.Context, *cluster) ([]*server, error){b.startGatekeeper, b.startKyverno} {
		started, err := start(ctx, bed)
		inCluster = append(inCluster, started...)
		servers = append(servers, started...)
		if missing, err = leftOut(missing, err); err != nil {
			return err
		}
	}

	contenders := alone
	for _, s := range inCluster {
		contenders = append(contenders, s.contender)
	}
	r := newResults(b, contenders)
	if err := b.measureStarts(ctx, alone, all, r); err != nil {
		return err
	}
	started, err := b.startAll(ctx, alone, all)
	servers = append(servers, started...)
	if err != nil {
		return err
	}
	for _, s := range inCluster {
		if _, err := b.firstAnswer(ctx, s, all.mix[denied]); err != nil {
			return err
		}
	}
	compared := append(started, inCluster...)
	if err := b.measureServers(ctx, compared, all, r); err != nil {
		return err
	}
	r.cipherSuite = b.cipherSuite
	curves, err := b.sweep(ctx, compared, all)
	if err != nil {
		return err
	}
	if err := plotLatencies(filepath.Join(b.results(), "peers.svg"), curves); err != nil {
		return err
	}
	text := r.tables() + "\n" + curvesTable(curves)
	for _, why := range missing {
		text += "\nLeft out: " + why + "\n"
	}
	return b.publish("peers.md", text)
}

// leftOut adds why a peer cannot be had; any other failure is one.
func leftOut(missing []string, err error) ([]string, error) {
	var why unavailable
	if errors.As(err, &why) {
		fmt.Println("bench: left out:", why)
		return append(missing, string(why)), nil
	}
	return missing, err
}

// goWebhook is what one writes in an afternoon: testbed/gowebhook.
func goWebhook(program string) contender {
	return contender{name: "Go webhook", judges: true, path: "/validate/jobs", command: func(ports [2]int, certificates string) []string {
		return []string{program, fmt.Sprintf("--port=%d", ports[0]), "--cert-dir=" + certificates}
	}}
}

// startGatekeeper returns when it has the rule.
func (b *bench) startGatekeeper(ctx context.Context, bed *cluster) ([]*server, error) {
	const namespace = "gatekeeper-system"
	program, err := bed.prepare(ctx, "gatekeeper", namespace)
	if err != nil {
		return nil, err
	}
	if _, err := bed.kubectl(ctx, "wait", "--for=create", "--timeout=60s", "serviceaccount/default", "-n", namespace); err != nil {
		return nil, err
	}
	if err := b.apply(bed, "gatekeeper-pod.yaml")(ctx); err != nil {
		return nil, err
	}
	s, err := b.start(contender{
		name: "Gatekeeper", judges: true, path: "/v1/admit",
		environment: []string{"POD_NAME=gatekeeper-0", "POD_NAMESPACE=" + namespace, "NAMESPACE=" + namespace},
		command: func(ports [2]int, certificates string) []string {
			return []string{program, "--kubeconfig=" + bed.values["KUBECONFIG"], "--operation=webhook", "--operation=generate",
				"--host=127.0.0.1", fmt.Sprintf("--port=%d", ports[0]), fmt.Sprintf("--health-addr=127.0.0.1:%d", ports[1]),
				"--prometheus-port=0", "--disable-cert-rotation", "--cert-dir=" + certificates,
				"--exempt-namespace=" + namespace, "--logtostderr"}
		}})
	if err != nil {
		return nil, err
	}
	servers := []*server{s}
	for _, file := range []string{"gatekeeper-template.yaml", "gatekeeper-constraint.yaml"} {
		if err := insist(ctx, s, b.apply(bed, file)); err != nil {
			return servers, err
		}
	}
	return servers, nil
}

func (b *bench) apply(bed *cluster, file string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := bed.kubectl(ctx, "apply", "-f", filepath.Join(b.project, "bench", "peers", file))
		return err
	}
}

// startKyverno returns when both of its languages have the rule: one process that is measured twice. It makes its
// certificate itself and registers its paths.
func (b *bench) startKyverno(ctx context.Context, bed *cluster) ([]*server, error) {
	const namespace, controller = "kyverno", "kyverno-admission-controller"
	program, err := bed.prepare(ctx, "kyverno", namespace)
	if err != nil {
		return nil, err
	}
	first, err := b.start(contender{
		name: "Kyverno, ValidatingPolicy", judges: true,
		environment: []string{"KYVERNO_NAMESPACE=" + namespace, "KYVERNO_DEPLOYMENT=" + controller,
			"KYVERNO_SERVICEACCOUNT_NAME=" + controller, "KYVERNO_POD_NAME=" + controller + "-0", "KYVERNO_SVC=kyverno-svc",
			"KYVERNO_ROLE_NAME=kyverno:admission-controller", "INIT_CONFIG=kyverno", "METRICS_CONFIG=kyverno-metrics"},
		command: func(ports [2]int, _ string) []string {
			return []string{program, "--kubeconfig=" + bed.values["KUBECONFIG"], fmt.Sprintf("--serverIP=127.0.0.1:%d", ports[0]),
				"--webhookServerHost=127.0.0.1", fmt.Sprintf("--webhookServerPort=%d", ports[0]),
				"--caSecretName=kyverno-svc.kyverno.svc.kyverno-tls-ca", "--tlsSecretName=kyverno-svc.kyverno.svc.kyverno-tls-pair",
				"--tlsKeyAlgorithm=ECDSA", "--admissionReports=false", "--metricsHost=127.0.0.1", "--metricsPort=0",
				"--controllerRuntimeMetricsAddress=0", "--autoMemLimitEnabled=false", "--disableLogColor=true"}
		}})
	if err != nil {
		return nil, err
	}
	servers := []*server{first}
	if err := insist(ctx, first, b.apply(bed, "kyverno.yaml")); err != nil {
		return servers, err
	}
	second := *first
	second.name = "Kyverno, ClusterPolicy"
	servers = append(servers, &second)
	for i, prefix := range []string{"/vpol/", "/validate/fail"} {
		err := insist(ctx, first, func(ctx context.Context) error {
			known, err := bed.registered(ctx, prefix)
			servers[i].path, servers[i].authority = known.path, known.authority
			return err
		})
		if err != nil {
			return servers, err
		}
	}
	return servers, nil
}

// rates at which everyone's latency is measured, until it cannot keep up.
var rates = []int{50, 100, 200, 400, 600, 800, 1000, 1400, 2000, 2800, 4000, 5600, 8000}

const (
	keptUp  = 0.97 // of the rate
	longest = time.Second
)

// A curve is a server's latency at one rate after the other.
type curve struct {
	name   string
	points []point
}

// A point is what was measured at a rate.
type point struct {
	rate int
	p99  time.Duration
}

// sweep raises the rate for each server until it cannot keep up; what it could not keep up with is no point.
func (b *bench) sweep(ctx context.Context, servers []*server, all samples) ([]curve, error) {
	var curves []curve
	for _, s := range servers {
		c := curve{name: s.name}
		for _, rate := range rates {
			l := load{fmt.Sprintf("9 KB, %d reviews/s", rate), 32, rate, small, false}
			m, err := l.run(ctx, s, all, b.pace.each)
			if err != nil {
				return nil, s.failed(fmt.Errorf("%s: %w", l.name, err))
			}
			if m.rate() < keptUp*float64(rate) || m.quantile(0.99) > longest {
				break
			}
			c.points = append(c.points, point{rate, m.quantile(0.99)})
		}
		fmt.Printf("bench: %s kept up with %d of %d rates\n", s.name, len(c.points), len(rates))
		curves = append(curves, c)
	}
	return curves, nil
}

// curvesTable has a row for each rate that somebody kept up with.
func curvesTable(curves []curve) string {
	var text strings.Builder
	fmt.Fprint(&text, "p99 in ms at a fixed rate of reviews of 9 KB; empty where it could not keep up:\n\n| reviews/s |")
	for _, c := range curves {
		fmt.Fprintf(&text, " %s |", c.name)
	}
	fmt.Fprint(&text, "\n|--:|"+strings.Repeat("--:|", len(curves))+"\n")
	for i, rate := range rates {
		row, kept := fmt.Sprintf("| %d |", rate), false
		for _, c := range curves {
			if i < len(c.points) {
				row, kept = row+" "+milliseconds(c.points[i].p99)+" |", true
			} else {
				row += " |"
			}
		}
		if kept {
			fmt.Fprintln(&text, row)
		}
	}
	return text.String()
}
