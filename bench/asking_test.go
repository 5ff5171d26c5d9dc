package main

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

const denial = `{"response":{"uid":"%s","allowed":false,"status":{"code":422,"message":"%s"}}}`

// serve starts a server whose answers to the review are made from the request's uid and the number of the request.
func serve(t *testing.T, answer func(uid string, number int) string) (*client, *server) {
	uid := regexp.MustCompile(`"uid":"([^"]*)"`)
	number := 0
	https := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		number++
		fmt.Fprint(w, answer(uid.FindStringSubmatch(string(body))[1], number))
	}))
	t.Cleanup(https.Close)
	authority := x509.NewCertPool()
	authority.AddCert(https.Certificate())
	c := newClient(authority, 1)
	t.Cleanup(c.close)
	return c, &server{contender: contender{judges: true, code: refused}, url: https.URL}
}

func deniedReview(t *testing.T) review {
	mix, err := readMix("reviews")
	if err != nil {
		t.Fatal(err)
	}
	return mix[denied]
}

func TestRightAnswersCarryTheUIDOfTheirRequest(t *testing.T) {
	for name, message := range map[string]string{"once": "no", "wherever it comes": "no to %s"} {
		t.Run(name, func(t *testing.T) {
			c, s := serve(t, func(uid string, _ int) string {
				return fmt.Sprintf(denial, uid, strings.ReplaceAll(message, "%s", uid))
			})
			q, err := newQuestion(t.Context(), c, s, deniedReview(t))
			for range 3 {
				if err == nil {
					err = q.ask(t.Context(), c, nil)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWrongAnswersAreErrors(t *testing.T) {
	for name, answer := range map[string]func(uid string, number int) string{
		"allowed":                         func(uid string, _ int) string { return fmt.Sprintf(`{"response":{"uid":%q,"allowed":true}}`, uid) },
		"another uid, from the first on":  func(string, int) string { return fmt.Sprintf(denial, newUID(), "no") },
		"the uid of an earlier request":   sameUID(),
		"other words than the first time": func(uid string, number int) string { return fmt.Sprintf(denial, uid, fmt.Sprint(number)) },
	} {
		t.Run(name, func(t *testing.T) {
			c, s := serve(t, answer)
			q, err := newQuestion(t.Context(), c, s, deniedReview(t))
			if err == nil {
				err = q.ask(t.Context(), c, nil)
			}
			if !errors.As(err, new(wrongAnswer)) {
				t.Errorf("%v", err)
			}
		})
	}
}

func sameUID() func(string, int) string {
	first := ""
	return func(uid string, number int) string {
		if number == 1 {
			first = uid
		}
		return fmt.Sprintf(denial, first, "no")
	}
}

func TestGrownReviewsHaveTheSizeAndTheEdit(t *testing.T) {
	small := deniedReview(t)
	for _, size := range []int{100_000, 1_000_000} {
		grown, err := small.grown(size)
		if err != nil {
			t.Fatal(err)
		}
		if len(grown.body) < size || len(grown.body) > size+size/20 {
			t.Errorf("%d bytes, wanted %d", len(grown.body), size)
		}
		if grown.allowed != small.allowed || string(grown.body[grown.uidAt:][:uidLength]) != string(small.body[small.uidAt:][:uidLength]) {
			t.Error("another uid or verdict")
		}
	}
}
