package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// testEgress is ended with the test.
func testEgress(t *testing.T) (e *egress, socket string) {
	t.Helper()
	dir := runDir{path: t.TempDir()}
	e, err := startEgress(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.close)
	return e, dir.file("egress.sock")
}

// connect asks the proxy for an address and returns the status and what is read and written through it.
func connect(t *testing.T, socket, address string) (status int, through net.Conn) {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "CONNECT %[1]s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", address)
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, conn
}

func TestEgressLeadsToAPodThatListensOnLoopback(t *testing.T) {
	e, socket := testEgress(t)
	pod, err := net.Listen("tcp", e.prefix+"7:0")
	if err != nil {
		t.Fatal(err)
	}
	defer pod.Close()
	_, port, _ := net.SplitHostPort(pod.Addr().String())
	go func() {
		conn, err := pod.Accept()
		if err == nil {
			_, _ = io.Copy(conn, conn)
		}
	}()

	status, conn := connect(t, socket, podPrefix+"7:"+port)
	if status != http.StatusOK {
		t.Fatal(status)
	}
	fmt.Fprintln(conn, "a review")
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || line != "a review\n" {
		t.Errorf("%q %v", line, err)
	}
}

func TestEgressLeadsNowhereElse(t *testing.T) {
	_, socket := testEgress(t)
	for address, want := range map[string]int{
		"192.0.2.1:443":                    http.StatusForbidden,
		podPrefix + "8:1":                  http.StatusBadGateway, // nobody listens
		"pods.example:443":                 http.StatusForbidden,
		strings.TrimSuffix(podPrefix, "."): http.StatusForbidden,
	} {
		if status, _ := connect(t, socket, address); status != want {
			t.Errorf("%s: %d, expected %d", address, status, want)
		}
	}
}
