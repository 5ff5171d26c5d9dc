package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// An apiClient speaks HTTPS and JSON with a client certificate; the test bed needs no more than that.
type apiClient struct {
	server string
	http   *http.Client
}

// A statusError is an answer other than 2xx.
type statusError struct {
	code int
	body string
}

func (e *statusError) Error() string { return fmt.Sprintf("HTTP %d: %s", e.code, e.body) }

func newAPIClient(server string, trusted *authority, user keyPair) *apiClient {
	roots := x509.NewCertPool()
	roots.AddCert(trusted.certificate)
	pair, err := tls.X509KeyPair(user.certificate, user.key)
	if err != nil {
		panic(err) // we made the pair ourselves
	}
	return &apiClient{server, &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
		ForceAttemptHTTP2: true,
	}}}
}

// call sends the body, if any, as JSON (a merge patch for PATCH) and reads the answer into out, if any.
func (c *apiClient) call(ctx context.Context, method, path string, body, out any) error {
	response, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if out != nil {
		return json.NewDecoder(response.Body).Decode(out)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// expectText fails unless the answer is exactly the text, white space around it aside.
func (c *apiClient) expectText(ctx context.Context, path, text string) error {
	response, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if answer := strings.TrimSpace(string(body)); err == nil && answer != text {
		return fmt.Errorf("%s answers %q", path, answer)
	}
	return err
}

// send returns the response with its body open, or an error for everything but 2xx.
func (c *apiClient) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.server+path, content)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	request.Header.Set("User-Agent", "testbed")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode/100 != 2 {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10))
		return nil, &statusError{response.StatusCode, strings.TrimSpace(string(text))}
	}
	return response, nil
}
