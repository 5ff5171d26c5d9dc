package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	uidLength     = 36
	answerTimeout = 30 * time.Second
)

// newUID is a different uid at each call.
func newUID() []byte {
	return fmt.Appendf(nil, "00000000-0000-4000-8000-%012x", uids.Add(1))
}

var uids atomic.Uint64

// A client keeps up to so many connections open and never makes more, as the API server's: HTTP/1.1 over TLS 1.3.
type client struct {
	http        *http.Client
	dials       atomic.Int64
	cipherSuite string // of the connection that the last question was learned on
}

func newClient(authority *x509.CertPool, connections int) *client {
	c := new(client)
	dialer := net.Dialer{Timeout: answerTimeout}
	c.http = &http.Client{
		Timeout: answerTimeout,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				c.dials.Add(1)
				return dialer.DialContext(ctx, network, address)
			},
			TLSClientConfig:     &tls.Config{RootCAs: authority, MinVersion: tls.VersionTLS13},
			MaxConnsPerHost:     connections,
			MaxIdleConnsPerHost: connections,
			DisableCompression:  true,
		},
	}
	return c
}

func (c *client) close() { c.http.CloseIdleConnections() }

// A question is a review on its way to one server, over and over, with a new uid each time. Not for concurrent use.
type question struct {
	url    string
	review review
	body   []byte // own, because the uid is written into it
	answer answer
}

// An answer is what is right for a review, byte for byte: a server's decision depends on nothing but the review. It is
// what stands around the request's uid, wherever that comes; one part where it does not.
type answer [][]byte

// isRightFor tells whether these bytes are the answer to the request of this uid.
func (a answer) isRightFor(uid, got []byte) bool {
	for i, part := range a {
		ok := true
		if i > 0 {
			got, ok = bytes.CutPrefix(got, uid)
		}
		if !ok {
			return false
		}
		if got, ok = bytes.CutPrefix(got, part); !ok {
			return false
		}
	}
	return len(got) == 0
}

// newQuestion asks once and learns from the answer, after looking at it closely.
func newQuestion(ctx context.Context, c *client, s *server, r review) (*question, error) {
	q := &question{url: s.at(r) + "?timeout=10s", review: r, body: bytes.Clone(r.body)}
	uid := newUID()
	copy(q.body[r.uidAt:], uid)
	got, state, err := q.send(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	c.cipherSuite = tls.CipherSuiteName(state.CipherSuite)
	if !s.judges {
		q.answer = answer{got}
		return q, nil
	}
	var parsed struct {
		Response struct {
			UID     string
			Allowed bool
			Status  struct{ Code int }
		}
	}
	if err := json.Unmarshal(got, &parsed); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", r.name, err, got)
	}
	response := parsed.Response
	if response.UID != string(uid) || response.Allowed != r.allowed ||
		!r.allowed && s.code != 0 && response.Status.Code != s.code {
		return nil, wrongAnswer{r.name, got}
	}
	q.answer = bytes.Split(got, uid)
	return q, nil
}

// again is the same question for another worker.
func (q *question) again() *question {
	return &question{q.url, q.review, bytes.Clone(q.body), q.answer}
}

// ask fails on any answer but the right one. The buffer is used for the answer.
func (q *question) ask(ctx context.Context, c *client, buffer []byte) error {
	uid := newUID()
	copy(q.body[q.review.uidAt:], uid)
	got, _, err := q.send(ctx, c, buffer)
	if err != nil {
		return err
	}
	if !q.answer.isRightFor(uid, got) {
		return wrongAnswer{q.review.name, bytes.Clone(got)}
	}
	return nil
}

func (q *question) send(ctx context.Context, c *client, buffer []byte) ([]byte, *tls.ConnectionState, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, q.url, bytes.NewReader(q.body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	got := bytes.NewBuffer(buffer[:0])
	if _, err := io.Copy(got, response.Body); err != nil {
		return nil, nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, wrongAnswer{q.review.name, fmt.Appendf(nil, "%s: %s", response.Status, got)}
	}
	return got.Bytes(), response.TLS, nil
}

// A wrongAnswer fails the whole run.
type wrongAnswer struct {
	review string
	got    []byte
}

func (w wrongAnswer) Error() string {
	return fmt.Sprintf("wrong answer to %s: %.500s", w.review, w.got)
}
