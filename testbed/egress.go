package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
)

// podPrefix is what all addresses of podNetwork begin with.
var podPrefix = strings.TrimSuffix(podNetwork, "0/24")

// An egress leads the API server to Pods where they have no addresses of their own: it asks for 10.244.0.7 through a proxy
// (its own option for control planes that are not on their nodes' network), and the proxy goes to 127.x.y.7.
type egress struct {
	config   string // a file for --egress-selector-config-file
	prefix   string // what Pods listen on, all but the last byte
	listener net.Listener
}

// startEgress listens on a socket in the folder until close is called. Two of them use other addresses, as far as chance goes.
func startEgress(dir runDir) (*egress, error) {
	socket := dir.file("egress.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	e := &egress{dir.file("egress.yaml"), fmt.Sprintf("127.%d.%d.", 1+rand.IntN(254), rand.IntN(256)), listener}
	config := fmt.Sprintf(`apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: {proxyProtocol: HTTPConnect, transport: {uds: {udsName: %q}}}
`, socket)
	if err := os.WriteFile(e.config, []byte(config), 0o600); err != nil {
		_ = listener.Close()
		return nil, err
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go e.serve(client)
		}
	}()
	return e, nil
}

func (e *egress) close() { _ = e.listener.Close() }

// serve does one CONNECT and passes bytes on, both ways, until either side ends.
func (e *egress) serve(client net.Conn) {
	defer client.Close()
	reader := bufio.NewReader(client)
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	last, isPod := strings.CutPrefix(request.Host, podPrefix)
	if request.Method != http.MethodConnect || !isPod {
		_, _ = io.WriteString(client, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
		return
	}
	pod, err := net.Dial("tcp", e.prefix+last)
	if err != nil {
		_, _ = io.WriteString(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
		return
	}
	defer pod.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	ended := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(pod, reader); ended <- struct{}{} }()
	go func() { _, _ = io.Copy(client, pod); ended <- struct{}{} }()
	<-ended
}
