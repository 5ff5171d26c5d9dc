// Command bench measures the packaged service next to a server that does nothing, or to its peers, in one run and in turn.
// The script "run" beside it starts it; docs/performance.md explains what it measures.
package main

import (
	"context"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var loads = []load{
	{"9 KB, 1 connection", 1, 0, small, false},
	{"9 KB, 8 connections", 8, 0, small, false},
	{"9 KB, 32 connections", 32, 0, small, false},
	{"9 KB, 500 reviews/s", 32, fixedRate, small, false},
	{"100 KB, 1 connection", 1, 0, func(s samples) []review { return []review{s.hundredKB} }, false},
	{"1 MB, 1 connection", 1, 0, func(s samples) []review { return []review{s.megabyte} }, false},
	{"StatefulSet, 1 connection", 1, 0, func(s samples) []review { return []review{s.kinds[statefulSet]} }, true},
	{"all other kinds, 32 connections", 32, 0, func(s samples) []review { return slices.Collect(maps.Values(s.kinds)) }, true},
}

// Loads that the aims speak of, by their place above.
const (
	saturating = 2
	openLoad   = 3
	kindsLoad  = 7

	fixedRate = 500
)

func small(s samples) []review { return s.mix }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// After the first signal the default action is back, so that a second Ctrl-C ends us, and with us the servers.
	context.AfterFunc(ctx, stop)
	err := run(ctx)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "bench: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	project := flag.String("project", "", "folder of the project, in which the service is packaged")
	jdk := flag.String("jdk", "", "home of a JDK 25")
	seconds := flag.String("seconds", "", "how long each of the measurements takes")
	tls := flag.String("tls", boringSSL, "whose code encrypts: BoringSSL or JDK")
	peers := flag.Bool("peers", false, "measure the service next to others of its kind")
	scale := flag.Bool("scale", false, "let reviews and connections grow")
	drawn := flag.String("draw", "", "file with the tables of make scale; draw them, measure nothing")
	short := flag.Bool("short", false, "one short round: the answers are looked at, the figures say little")
	flag.Parse()
	if *drawn != "" {
		return drawGrowth(*drawn)
	}
	each, err := strconv.Atoi(*seconds)
	if err != nil || each < 1 || each > 600 {
		return fmt.Errorf("BENCH_SECONDS is %q, no number between 1 and 600", *seconds)
	}
	if *tls != boringSSL && *tls != javaTLS {
		return fmt.Errorf("BENCH_TLS is %q, neither BoringSSL nor JDK", *tls)
	}
	b, err := prepare(*project, *jdk)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.scratch)
	b.pace = pace{rounds: 3, starts: 5, each: time.Duration(each) * time.Second}
	if *short {
		b.pace = pace{rounds: 1, starts: 1, each: 300 * time.Millisecond}
	}
	all, err := b.samples()
	if err != nil {
		return err
	}
	if err := b.compileNoOp(ctx); err != nil {
		return err
	}
	if *peers {
		return b.comparePeers(ctx, all)
	}
	if *scale {
		return b.measureScale(ctx, all)
	}
	// which kinds are on is for the API server to know; the third is asked about all of them, the first about Jobs alone
	others := b.service("gitops-interlock, all kinds", *tls)
	others.kinds = true
	results, err := b.measure(ctx, []contender{b.service("gitops-interlock", *tls), b.noOp("no-op", *tls), others}, 2, all)
	if err != nil {
		return err
	}
	return b.publish("results.md", results.aims()+results.tables())
}

// publish prints a text and keeps it in target/bench.
func (b *bench) publish(name, text string) error {
	path := filepath.Join(b.results(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Printf("\n%s\nalso in target/bench/%s\n", text, name)
	return nil
}

// Whose code encrypts.
const (
	boringSSL = "BoringSSL"
	javaTLS   = "JDK"
)

// A pace is how often and for how long everything is measured.
type pace struct {
	rounds, starts int
	each           time.Duration
}

// A bench is one run.
type bench struct {
	project, jdk string
	pace         pace
	cores        cores
	spawn        chan<- func()
	scratch      string // folder of everything that is gone afterwards
	authority    *x509.CertPool
	cipherSuite  string // that the first server chose, which is the service
	started      int
}

func prepare(project, jdk string) (*bench, error) {
	b := &bench{project: project, jdk: jdk}
	var err error
	if b.cores, err = splitCores(); err != nil {
		return nil, err
	}
	// in this order: it moves every thread that there is
	if err := b.cores.moveHere(); err != nil {
		return nil, err
	}
	if b.spawn, err = spawner(b.cores.server); err != nil {
		return nil, err
	}
	if b.scratch, err = os.MkdirTemp("", "gitops-interlock-bench-"); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(b.results(), 0o755); err != nil {
		return nil, err
	}
	b.authority, err = writeCertificate(b.scratch)
	return b, err
}

// results is the folder for what is to be kept.
func (b *bench) results() string { return filepath.Join(b.project, "target", "bench") }

func (b *bench) samples() (samples, error) {
	var all samples
	var err error
	if all.mix, err = readMix(filepath.Join(b.project, "bench", "reviews")); err != nil {
		return all, err
	}
	if all.hundredKB, err = all.mix[denied].grown(100_000); err != nil {
		return all, err
	}
	if all.megabyte, err = all.mix[denied].grown(1_000_000); err != nil {
		return all, err
	}
	all.kinds, err = readKinds(filepath.Join(b.project, "bench", "reviews", "kinds"))
	return all, err
}

func (b *bench) java() string { return filepath.Join(b.jdk, "bin", "java") }

// jvmFlags is what the image runs the service with, beside its AOT cache, and so the no-op too: an argument file.
func (b *bench) jvmFlags() string {
	return "@" + filepath.Join(b.project, "src", "main", "image", "java.options")
}

// service is gitops-interlock as the image runs it, without a cluster. It refuses to start with an AOT cache that does
// not fit, and so is never measured without one.
func (b *bench) service(name, tls string) contender {
	return contender{name: name, judges: true, code: refused, command: func(ports [2]int, certificates string) []string {
		return slices.Concat([]string{b.java(), b.jvmFlags()}, []string{
			"-XX:AOTCache=" + filepath.Join(b.project, "target", "quarkus-app", "app.aot"),
			"-XX:AOTMode=on",
			"-Dgitops-interlock.certificate.directory=" + certificates,
			"-Dgitops-interlock.jobs.allow-overrides=false",
			"-Dgitops-interlock.tls.engine=" + tls,
			"-Dquarkus.http.host=127.0.0.1",
			fmt.Sprintf("-Dquarkus.http.ssl-port=%d", ports[0]),
			"-Dquarkus.management.host=127.0.0.1",
			fmt.Sprintf("-Dquarkus.management.port=%d", ports[1]),
			"-Dquarkus.shutdown.delay=0s",
			"-jar", filepath.Join(b.project, "target", "quarkus-app", "quarkus-run.jar"),
		})
	}}
}

// noOp is NoOp.java on the service's own libraries, with the cipher suite that the service chose.
func (b *bench) noOp(name, tls string) contender {
	return contender{name: name, command: func(ports [2]int, certificates string) []string {
		return slices.Concat([]string{b.java(), b.jvmFlags()},
			[]string{"--enable-native-access=ALL-UNNAMED", "-cp", b.noOpClassPath(),
				"NoOp", strconv.Itoa(ports[0]), certificates, b.cipherSuite, tls})
	}}
}

func (b *bench) noOpClassPath() string {
	path := []string{b.scratch}
	for _, library := range []string{"io.vertx.vertx-core-*", "io.netty.*", "com.fasterxml.jackson.core.jackson-core-*"} {
		jars, _ := filepath.Glob(filepath.Join(b.project, "target", "quarkus-app", "lib", "main", library+".jar"))
		path = append(path, jars...)
	}
	return strings.Join(path, ":")
}

func (b *bench) compileNoOp(ctx context.Context) error {
	javac := exec.CommandContext(ctx, filepath.Join(b.jdk, "bin", "javac"),
		"-d", b.scratch, "-cp", b.noOpClassPath(), filepath.Join(b.project, "bench", "NoOp.java"))
	if output, err := javac.CombinedOutput(); err != nil {
		return fmt.Errorf("NoOp.java does not compile: %w\n%s", err, output)
	}
	return nil
}

// measure goes through everything, all contenders in turn. The first of them, as many as are said, are started by
// themselves before, for the time that this takes.
func (b *bench) measure(ctx context.Context, contenders []contender, timed int, all samples) (*results, error) {
	r := newResults(b, contenders)
	if err := b.measureStarts(ctx, contenders[:timed], all, r); err != nil {
		return nil, err
	}
	servers, err := b.startAll(ctx, contenders, all)
	defer stopAll(servers)
	if err != nil {
		return nil, err
	}
	r.cipherSuite = b.cipherSuite
	return r, b.measureServers(ctx, servers, all, r)
}

// startAll returns those that were started, even if one of them fails.
func (b *bench) startAll(ctx context.Context, contenders []contender, all samples) ([]*server, error) {
	var servers []*server
	for _, c := range contenders {
		s, err := b.start(c)
		if err != nil {
			return servers, err
		}
		servers = append(servers, s)
		if _, err := b.firstAnswer(ctx, s, all.mix[denied]); err != nil {
			return servers, err
		}
	}
	return servers, nil
}

func stopAll(servers []*server) {
	for _, s := range servers {
		s.stop()
	}
}

func (b *bench) measureStarts(ctx context.Context, contenders []contender, all samples, r *results) error {
	for i := range b.pace.starts {
		var line []string
		for side, c := range contenders {
			s, err := b.start(c)
			if err != nil {
				return err
			}
			first, err := b.firstAnswer(ctx, s, all.mix[denied])
			used, unknown := s.cpu()
			s.stop()
			if err := errors.Join(err, unknown); err != nil {
				return err
			}
			r.firsts[side] = append(r.firsts[side], first)
			r.firstCPUs[side] = append(r.firstCPUs[side], used)
			line = append(line, fmt.Sprintf("%s %.2f s", c.name, first.Seconds()))
		}
		fmt.Printf("bench: start %d of %d: %s\n", i+1, b.pace.starts, strings.Join(line, ", "))
	}
	return nil
}

// measureServers sends all loads.
func (b *bench) measureServers(ctx context.Context, servers []*server, all samples, r *results) error {
	if err := pause(ctx, 2*time.Second); err != nil {
		return err
	}
	if err := r.remember(r.idle, servers, "VmRSS"); err != nil {
		return err
	}
	fmt.Println("bench: warming up")
	for _, s := range servers {
		if _, err := loads[saturating].run(ctx, s, all, 2*b.pace.each); err != nil {
			return s.failed(err)
		}
		if s.kinds {
			if _, err := loads[kindsLoad].run(ctx, s, all, 2*b.pace.each); err != nil {
				return s.failed(err)
			}
		}
	}
	for round := range b.pace.rounds {
		for i, l := range loads {
			var line []string
			for side, s := range servers {
				if l.otherKinds && !s.kinds {
					continue
				}
				m, err := l.run(ctx, s, all, b.pace.each)
				if err != nil {
					return s.failed(fmt.Errorf("%s: %w", l.name, err))
				}
				r.add(i, side, m)
				line = append(line, fmt.Sprintf("%s %.0f/s p99 %s ms", s.name, m.rate(), milliseconds(m.quantile(0.99))))
			}
			if len(line) > 0 {
				fmt.Printf("bench: round %d of %d: %s: %s\n", round+1, b.pace.rounds, l.name, strings.Join(line, ", "))
			}
		}
	}
	return errors.Join(r.remember(r.loaded, servers, "VmRSS"), r.remember(r.peak, servers, "VmHWM"))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
