package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const workloads = `
apiVersion: batch/v1
kind: Job
metadata: {name: succeeds}
spec:
  template:
    spec: {restartPolicy: Never, initContainers: [{name: first, image: example}], containers: [{name: main, image: example}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: fails}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {testbed.gitops-interlock.dev/outcome: fail}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: runs}
spec:
  template:
    metadata: {labels: {testbed.gitops-interlock.dev/outcome: run}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: takes-a-while}
spec:
  template:
    metadata: {labels: {testbed.gitops-interlock.dev/after: 4s}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: serves}
spec:
  selector: {matchLabels: {app: serves}}
  template:
    metadata: {labels: {app: serves}}
    spec: {containers: [{name: main, image: example}]}
`

func TestPodsEndAsTheirLabelsSay(t *testing.T) {
	b := launch(t, "--deployments")
	if answer := b.kubectl("get", "--raw", "/readyz"); answer != "ok" {
		t.Errorf("/readyz says %q", answer)
	}
	b.kubectlApply(workloads, "apply", "-f", "-")
	b.kubectl("wait", "--for=condition=Complete", "job/succeeds", "--timeout=20s")
	b.kubectl("wait", "--for=condition=Failed", "job/fails", "--timeout=20s")
	b.kubectl("wait", "--for=jsonpath={.status.ready}=1", "job/takes-a-while", "job/runs", "--timeout=20s")
	b.kubectl("wait", "--for=condition=Complete", "job/takes-a-while", "--timeout=20s")
	if active := b.kubectl("get", "job/runs", "-o", "jsonpath={.status.active}"); active != "1" {
		t.Errorf("job/runs has %q active Pods", active)
	}
	b.kubectl("wait", "--for=condition=Available", "deployment/serves", "--timeout=20s")
	b.kubectl("delete", "job/runs")
	b.kubectl("wait", "--for=delete", "pod", "-l", "job-name=runs", "--timeout=20s")

	audit, err := os.ReadFile(b.vars["AUDIT_LOG"])
	if err != nil || !strings.Contains(string(audit), `"username":"system:serviceaccount:kube-system:job-controller"`) {
		t.Errorf("the audit log does not show the Job controller (%v)", err)
	}
}

func TestServerCallsItselfByItsVersion(t *testing.T) {
	b := launch(t)
	want := fmt.Sprintf(`"gitVersion": "v%s"`, b.vars["KUBERNETES_VERSION"])
	if answer := b.kubectl("get", "--raw", "/version"); !strings.Contains(answer, want) {
		t.Errorf("no %s in %s", want, answer)
	}
}

func TestWebhookCertificateIsGoodForItsService(t *testing.T) {
	b := launch(t)
	dir := b.vars["WEBHOOK_CERT_DIR"]
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	authority, err := os.ReadFile(b.vars["WEBHOOK_CA_FILE"])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	for _, name := range []string{"127.0.0.1", "localhost", "gitops-interlock.gitops-interlock.svc"} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots}); err != nil {
			t.Error(err)
		}
	}
}

func TestKubeletListsAgainWhenTheWatchIsRefused(t *testing.T) {
	var lists atomic.Int32
	reported := make(chan string, 10)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPatch:
			reported <- r.URL.Path
		case r.URL.Query().Has("watch"):
			fmt.Fprintln(w, `{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}`)
		case lists.Add(1) == 1:
			fmt.Fprintln(w, `{"metadata":{"resourceVersion":"1"},"items":[]}`)
		default:
			fmt.Fprintln(w, `{"metadata":{"resourceVersion":"2"},"items":[{"metadata":{"namespace":"n","name":"p","uid":"u"}}]}`)
		}
	}))
	defer api.Close()
	go func() {
		_ = runKubelet(t.Context(), &apiClient{api.URL, api.Client()}, filepath.Join(t.TempDir(), "log"))
	}()
	for range 2 { // Running, then Succeeded
		if path := <-reported; path != "/api/v1/namespaces/n/pods/p/status" {
			t.Errorf("reported to %s", path)
		}
	}
}
