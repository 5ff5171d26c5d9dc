// Command gowebhook is what one would write in Go in an afternoon to refuse edits of a Job's fixed fields: eight fields,
// compared as typed values, on controller-runtime. It knows no tool, gives no advice and looks at no policy. "make
// bench-peers" measures it.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	host := flag.String("host", "127.0.0.1", "")
	port := flag.Int("port", 0, "")
	certificates := flag.String("cert-dir", "", "")
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	types := runtime.NewScheme()
	if err := batchv1.AddToScheme(types); err != nil {
		fail(err)
	}
	server := webhook.NewServer(webhook.Options{Host: *host, Port: *port, CertDir: *certificates})
	server.Register("/validate/jobs", &webhook.Admission{Handler: &jobs{admission.NewDecoder(types)}})
	if err := server.Start(ctrl.SetupSignalHandler()); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gowebhook:", err)
	os.Exit(1)
}

// jobs refuses edits of Jobs.
type jobs struct{ decoder admission.Decoder }

func (j *jobs) Handle(_ context.Context, request admission.Request) admission.Response {
	if request.Operation != admissionv1.Update {
		return admission.Allowed("")
	}
	var before, after batchv1.Job
	if err := j.decoder.DecodeRaw(request.OldObject, &before); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if err := j.decoder.Decode(request, &after); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	changed := changes(before.Spec, after.Spec)
	if len(changed) == 0 {
		return admission.Allowed("")
	}
	klog.InfoS("refused", "job", klog.KObj(&after), "user", request.UserInfo.Username, "fields", changed)
	return admission.Denied(fmt.Sprintf("Job %s/%s was not changed, field is immutable: %s",
		request.Namespace, request.Name, strings.Join(changed, ", ")))
}

func changes(before, after batchv1.JobSpec) []string {
	var changed []string
	for _, field := range []struct {
		name          string
		before, after any
	}{
		{"spec.template", before.Template, after.Template},
		{"spec.selector", before.Selector, after.Selector},
		{"spec.completions", before.Completions, after.Completions},
		{"spec.completionMode", before.CompletionMode, after.CompletionMode},
		{"spec.podFailurePolicy", before.PodFailurePolicy, after.PodFailurePolicy},
		{"spec.successPolicy", before.SuccessPolicy, after.SuccessPolicy},
		{"spec.backoffLimitPerIndex", before.BackoffLimitPerIndex, after.BackoffLimitPerIndex},
		{"spec.managedBy", before.ManagedBy, after.ManagedBy},
	} {
		if !equality.Semantic.DeepEqual(field.before, field.after) {
			changed = append(changed, field.name)
		}
	}
	return changed
}
