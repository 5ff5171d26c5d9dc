package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

func TestStoreTellsOfEveryChangeAlsoOfThoseBetweenTwoWatches(t *testing.T) {
	var lists atomic.Int32
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		object := func(name, revision string) string {
			return fmt.Sprintf(`{"metadata":{"name":%q,"resourceVersion":%q}}`, name, revision)
		}
		list := func(objects ...string) {
			fmt.Fprintf(w, `{"metadata":{"resourceVersion":"9"},"items":[%s]}`, strings.Join(objects, ","))
		}
		switch {
		case r.URL.Query().Has("watch") && lists.Load() == 2:
			fmt.Fprintf(w, `{"type":"ADDED","object":%s}{"type":"MODIFIED","object":%s}{"type":"DELETED","object":%s}`,
				object("added", "4"), object("changed", "5"), object("deleted", "6"))
		case r.URL.Query().Has("watch"):
			<-r.Context().Done()
		case lists.Add(1) == 1:
			http.Error(w, "no leader", http.StatusInternalServerError)
		case lists.Load() == 2:
			list(object("same", "1"), object("changed", "2"), object("deleted", "3"), object("missed", "3"))
		default:
			list(object("same", "1"), object("changed", "7"), object("added", "4"))
		}
	}))
	defer api.Close()
	told := make(chan string, 20)
	s := newStore[machineConfig]()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.run(ctx, &apiClient{api.URL, api.Client()}, "/configs", log.New(io.Discard, "", 0), func(before, after *machineConfig) {
			text := func(config *machineConfig) string {
				if config == nil {
					return "-"
				}
				return config.name() + config.revision()
			}
			told <- text(before) + ">" + text(after)
		})
	}()
	for _, want := range []string{
		"->same1", "->changed2", "->deleted3", "->missed3",
		"->added4", "changed2>changed5", "deleted6>-",
		"changed5>changed7", "missed3>-",
	} {
		if got := <-told; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	cancel()
	<-ended
	if len(told) > 0 {
		t.Errorf("and %s", <-told)
	}
}

func TestKubeconfigs(t *testing.T) {
	ca, err := newAuthority("ca")
	if err != nil {
		t.Fatal(err)
	}
	user, err := ca.user("somebody")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	caFile := filepath.Join(dir, "a ca.crt")
	if err := os.WriteFile(caFile, ca.pem, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"certificate": string((&identities{cluster: ca}).kubeconfig("https://127.0.0.1:1", user)),
		"token": `clusters: [{name: it, cluster: {server: "https://127.0.0.1:1", certificate-authority: "` + caFile + `"}}]
users:
  - name: it
    user: {token: "abc.def"}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		client, err := readKubeconfig(file, "me")
		if err != nil {
			t.Fatal(err)
		}
		transport := client.http.Transport.(identified)
		certificates := len(transport.next.(*http.Transport).TLSClientConfig.Certificates)
		if client.server != "https://127.0.0.1:1" || (transport.token == "abc.def") != (name == "token") || (certificates == 1) != (name == "certificate") {
			t.Errorf("%s: %q, token %q, %d certificates", name, client.server, transport.token, certificates)
		}
	}
}
