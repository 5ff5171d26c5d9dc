package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
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

// message is what the answer says in words, as kubectl and the controllers show it.
func (e *statusError) message() string {
	var status struct{ Message string }
	if json.Unmarshal([]byte(e.body), &status) != nil || status.Message == "" {
		return e.Error()
	}
	return status.Message
}

// inOneLine is an error in words for a log.
func inOneLine(err error) string {
	text := err.Error()
	var status *statusError
	if errors.As(err, &status) {
		text = strings.Replace(text, status.Error(), status.message(), 1)
	}
	return strings.Join(strings.Fields(text), " ")
}

// hasStatus tells whether an answer of that code is what went wrong.
func hasStatus(err error, code int) bool {
	var status *statusError
	return errors.As(err, &status) && status.code == code
}

func newAPIClient(server string, trusted *authority, user keyPair) *apiClient {
	roots := x509.NewCertPool()
	roots.AddCert(trusted.certificate)
	pair, err := tls.X509KeyPair(user.certificate, user.key)
	if err != nil {
		panic(err) // we made the pair ourselves
	}
	security := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}
	return &apiClient{server, &http.Client{Transport: identified{"", "testbed", newTransport(security)}}}
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
