// Command portforward answers as a kubelet does what "kubectl port-forward" makes the API server ask, and nothing else: a
// Pod's port is this machine's port of that number on 127.0.0.1. It prints its own port, for the Node's status. Its
// certificate is signed by nobody, which the test bed's API server does not mind.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
)

// Of the kubelet.
const (
	idle     = 4 * time.Hour
	creation = 30 * time.Second
)

func main() {
	server := httptest.NewTLSServer(handler())
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	fmt.Println(port)
	select {} // until somebody ends it
}

func handler() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("/portForward/{namespace}/{pod}", func(answer http.ResponseWriter, request *http.Request) {
		options, err := portforward.NewV4Options(request)
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(answer, request, loopback{}, request.PathValue("pod"), "", options, idle, creation,
			portforward.SupportedProtocols)
	})
	return routes
}

// loopback is where a container's ports are seen from inside its Pod.
type loopback struct{}

func (loopback) PortForward(ctx context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	container, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer container.Close()
	go func() {
		_, _ = io.Copy(container, stream) // how it ends is told by the other direction
		_ = container.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, container)
	return err
}
