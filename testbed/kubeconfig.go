package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"time"
)

// kubeconfigValue finds a key and its value, in block style or in flow style.
var kubeconfigValue = regexp.MustCompile(`([a-z-]+):[ \t]*(?:"([^"\n]*)"|([^\s"',{}]+))`)

// readKubeconfig makes a client of a kubeconfig with one cluster and one user, by certificate or by token. It knows the
// files that the test bed and its tests write, not all of YAML.
func readKubeconfig(path, userAgent string) (*apiClient, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, found := range kubeconfigValue.FindAllStringSubmatch(string(text), -1) {
		values[found[1]] = found[2] + found[3]
	}
	content := func(key string) ([]byte, error) {
		if data, here := values[key+"-data"]; here {
			return base64.StdEncoding.DecodeString(data)
		}
		return os.ReadFile(values[key])
	}
	authority, err := content("certificate-authority")
	if err != nil {
		return nil, fmt.Errorf("%s: certificate-authority: %w", path, err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	security := &tls.Config{RootCAs: roots}
	if values["token"] == "" {
		certificate, err := content("client-certificate")
		if err != nil {
			return nil, fmt.Errorf("%s: neither token nor client-certificate: %w", path, err)
		}
		key, err := content("client-key")
		if err != nil {
			return nil, fmt.Errorf("%s: client-key: %w", path, err)
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		security.Certificates = []tls.Certificate{pair}
	}
	return &apiClient{values["server"], &http.Client{Transport: identified{values["token"], userAgent, newTransport(security)}}}, nil
}

// newTransport notices connections that are dead without having been closed.
func newTransport(security *tls.Config) *http.Transport {
	return &http.Transport{
		TLSClientConfig:   security,
		ForceAttemptHTTP2: true,
		HTTP2:             &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 5 * time.Second},
	}
}

// An identified transport says who is calling: the user by a token, if any, and the program.
type identified struct {
	token, userAgent string
	next             http.RoundTripper
}

func (i identified) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("User-Agent", i.userAgent)
	if i.token != "" {
		request.Header.Set("Authorization", "Bearer "+i.token)
	}
	return i.next.RoundTrip(request)
}
