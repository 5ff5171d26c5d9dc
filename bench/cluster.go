package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	policyDeadline  = 2 * time.Minute
	exitUnavailable = 69 // of the test bed: what it should build is not served
)

// A cluster is a control plane of the test bed's, from which peers read their policies.
type cluster struct {
	testbed string
	values  map[string]string // that the test bed prints: KUBECONFIG, KUBECTL
	stdin   io.Closer         // with which it ends
	ended   <-chan error
}

// startCluster returns when the API server answers.
func (b *bench) startCluster(ctx context.Context) (*cluster, error) {
	c := &cluster{testbed: filepath.Join(b.project, "testbed", "testbed"), values: map[string]string{}}
	bed := exec.CommandContext(ctx, c.testbed, "up", "--until-stdin-closes", "--quiet")
	bed.Stderr = os.Stderr
	stdin, err := bed.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := bed.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := bed.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "=")
		c.values[name] = value
		if name == "READY" {
			break
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- bed.Wait() }()
	c.stdin, c.ended = stdin, ended
	if c.values["READY"] != "true" {
		c.stop()
		return nil, errors.New("the test bed does not start; see above")
	}
	return c, nil
}

func (c *cluster) stop() {
	_ = c.stdin.Close()
	<-c.ended
}

// ask returns what a command of the test bed prints, a line each. A tool that cannot be had is an [unavailable].
func (c *cluster) ask(ctx context.Context, args ...string) ([]string, error) {
	command := exec.CommandContext(ctx, c.testbed, args...)
	var said bytes.Buffer
	command.Stderr = io.MultiWriter(os.Stderr, &said)
	output, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitUnavailable {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		return nil, unavailable(lines[len(lines)-1])
	}
	if err != nil {
		return nil, fmt.Errorf("testbed %s: %w", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(output)), "\n"), nil
}

// An unavailable is why a peer is left out.
type unavailable string

func (u unavailable) Error() string { return string(u) }

// tool is the path of a program, which is built if it is missing.
func (c *cluster) tool(ctx context.Context, name string) (string, error) {
	lines, err := c.ask(ctx, "tool", name)
	if err != nil {
		return "", err
	}
	return lines[0], nil
}

// prepare returns a product's program, for which there are its definitions and its Namespace then.
func (c *cluster) prepare(ctx context.Context, product, namespace string) (string, error) {
	program, err := c.tool(ctx, product)
	if err != nil {
		return "", err
	}
	if err := c.define(ctx, product); err != nil {
		return "", err
	}
	return program, c.makeNamespace(ctx, namespace)
}

func (c *cluster) makeNamespace(ctx context.Context, name string) error {
	_, err := c.kubectl(ctx, "create", "namespace", name)
	return err
}

// define adds a product's CustomResourceDefinitions, and waits until objects of them can be made.
func (c *cluster) define(ctx context.Context, product string) error {
	files, err := c.ask(ctx, "crds", product)
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := c.kubectl(ctx, "apply", "--server-side", "-f", file); err != nil {
			return err
		}
	}
	_, err = c.kubectl(ctx, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
	return err
}

func (c *cluster) kubectl(ctx context.Context, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, c.values["KUBECTL"], append([]string{"--kubeconfig", c.values["KUBECONFIG"]}, args...)...)
	output, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("kubectl %s: %s", strings.Join(args, " "), exit.Stderr)
	}
	return output, err
}

// insist repeats something that fails until a peer is ready for it.
func insist(ctx context.Context, s *server, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, policyDeadline)
	defer cancel()
	for {
		err := do(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return s.failed(errEnded)
		case <-ctx.Done():
			return s.failed(fmt.Errorf("not ready: %w", err))
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// A registration is a webhook that somebody has registered by its URL.
type registration struct {
	path      string
	authority *x509.CertPool
}

// registered finds the webhook whose path begins so.
func (c *cluster) registered(ctx context.Context, prefix string) (registration, error) {
	text, err := c.kubectl(ctx, "get", "validatingwebhookconfigurations", "-o", "json")
	if err != nil {
		return registration{}, err
	}
	var list struct {
		Items []struct {
			Webhooks []struct {
				ClientConfig struct {
					URL      string
					CABundle []byte
				}
			}
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return registration{}, err
	}
	for _, configuration := range list.Items {
		for _, webhook := range configuration.Webhooks {
			address, err := url.Parse(webhook.ClientConfig.URL)
			if err != nil || !strings.HasPrefix(address.Path, prefix) {
				continue
			}
			authority := x509.NewCertPool()
			if !authority.AppendCertsFromPEM(webhook.ClientConfig.CABundle) {
				return registration{}, fmt.Errorf("no certificate in the registration of %s", address.Path)
			}
			return registration{address.Path, authority}, nil
		}
	}
	return registration{}, fmt.Errorf("nothing is registered at %s", prefix)
}
