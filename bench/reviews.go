package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A review is an AdmissionReview as the API server sends it, with the verdict that is right.
type review struct {
	name    string
	body    []byte // compact
	uidAt   int    // where the request's uid is in the body
	path    string // where it is sent
	allowed bool
}

// The mix of small reviews: recorded from an API server, about 9 KB each, sent in turn.
var mix = []struct {
	file    string
	allowed bool
}{
	{"denied-edit.json", false},
	{"allowed-edit.json", true},
	{"metadata-edit.json", true},
}

const (
	denied = 0 // of the mix

	refused = 422 // the code of our denials
)

const (
	jobs        = "/mutate/jobs"
	objects     = "/mutate/objects"
	statefulSet = "StatefulSet"
)

// readKinds reads a refused edit of each kind beside Job, recorded from an API server.
func readKinds(folder string) (map[string]review, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	reviews := map[string]review{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		r, err := newReview(filepath.Base(file), text, objects, false)
		if err != nil {
			return nil, err
		}
		reviews[strings.TrimSuffix(filepath.Base(file), ".json")] = r
	}
	if _, ok := reviews[statefulSet]; !ok {
		return nil, fmt.Errorf("%s has no review of a %s", folder, statefulSet)
	}
	return reviews, nil
}

func readMix(folder string) ([]review, error) {
	var reviews []review
	for _, entry := range mix {
		text, err := os.ReadFile(filepath.Join(folder, entry.file))
		if err != nil {
			return nil, err
		}
		r, err := newReview(entry.file, text, jobs, entry.allowed)
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, r)
	}
	return reviews, nil
}

func newReview(name string, text []byte, path string, allowed bool) (review, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return review{}, fmt.Errorf("%s: %w", name, err)
	}
	var parsed struct{ Request struct{ UID string } }
	if err := json.Unmarshal(text, &parsed); err != nil {
		return review{}, fmt.Errorf("%s: %w", name, err)
	}
	body := compact.Bytes()
	at := bytes.Index(body, []byte(parsed.Request.UID))
	if len(parsed.Request.UID) != uidLength {
		return review{}, fmt.Errorf("%s: the request's uid is %q", name, parsed.Request.UID)
	}
	return review{name, body, at, path, allowed}, nil
}

// grown is the same edit of a Job with so many environment variables, each owned by the field manager as well, that
// the review has at least the wanted size.
func (r review) grown(size int) (review, error) {
	var tree map[string]any
	if err := json.Unmarshal(r.body, &tree); err != nil {
		return review{}, err
	}
	request := tree["request"].(map[string]any)
	perVariable := 2 * len(`{"name":"SETTING_00000","value":"the value of setting 00000"},`+
		`"k:{\"name\":\"SETTING_00000\"}":{".":{},"f:name":{},"f:value":{}},`)
	for i := range max(0, size-len(r.body))/perVariable + 1 {
		for _, object := range []string{"object", "oldObject"} {
			addVariable(request[object].(map[string]any), i)
		}
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return review{}, err
	}
	return newReview(fmt.Sprintf("%s grown to %d bytes", r.name, len(text)), text, r.path, r.allowed)
}

// bare is the same edit of a Job of which the API server does not know who owns what: the smallest that comes.
func (r review) bare() (review, error) {
	var tree map[string]any
	if err := json.Unmarshal(r.body, &tree); err != nil {
		return review{}, err
	}
	for _, object := range []string{"object", "oldObject"} {
		delete(at(tree, "request", object, "metadata").(map[string]any), "managedFields")
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return review{}, err
	}
	return newReview(r.name+" without managedFields", text, r.path, r.allowed)
}

func addVariable(job map[string]any, number int) {
	name := fmt.Sprintf("SETTING_%05d", number)
	container := at(job, "spec", "template", "spec", "containers", 0).(map[string]any)
	container["env"] = append(container["env"].([]any),
		map[string]any{"name": name, "value": fmt.Sprintf("the value of setting %05d", number)})
	owned := at(job, "metadata", "managedFields", 0, "fieldsV1", "f:spec", "f:template", "f:spec", "f:containers",
		`k:{"name":"migrate"}`, "f:env").(map[string]any)
	owned[fmt.Sprintf(`k:{"name":"%s"}`, name)] =
		map[string]any{".": map[string]any{}, "f:name": map[string]any{}, "f:value": map[string]any{}}
}

func at(node any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			node = node.(map[string]any)[step]
		case int:
			node = node.([]any)[step]
		}
	}
	return node
}
