package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// read makes an object of JSON in which single quotes stand for double ones.
func read[T any](t *testing.T, text string) T {
	t.Helper()
	var object T
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "'", `"`)), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestSelector(t *testing.T) {
	for _, c := range []struct {
		selector, labels string
		want             bool
	}{
		{`null`, `{'a': '1'}`, false},
		{`{}`, `{'a': '1'}`, false},
		{`{'matchLabels': {'a': ''}}`, `{'a': ''}`, true},
		{`{'matchLabels': {'a': ''}}`, `{}`, false},
		{`{'matchLabels': {'a': '1', 'b': '2'}}`, `{'a': '1'}`, false},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['1', '2']}]}`, `{'a': '2'}`, true},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['1', '2']}]}`, `{}`, false},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'NotIn', 'values': ['1']}]}`, `{'a': '1'}`, false},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'NotIn', 'values': ['1']}]}`, `{}`, true},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}`, `{'a': ''}`, true},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}`, `{}`, false},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'DoesNotExist'}]}`, `{}`, true},
		{`{'matchExpressions': [{'key': 'a', 'operator': 'DoesNotExist'}]}`, `{'a': ''}`, false},
		{`{'matchLabels': {'b': '2'}, 'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}`, `{'b': '2'}`, false},
	} {
		if got := read[*labelSelector](t, c.selector).matches(read[map[string]string](t, c.labels)); got != c.want {
			t.Errorf("%s on %s: %v", c.selector, c.labels, got)
		}
	}
}

func poolOf(t *testing.T, name string) pool {
	return read[pool](t, `{
		'metadata': {'name': '`+name+`', 'uid': 'u-`+name+`', 'generation': 7, 'resourceVersion': '12'},
		'spec': {
			'machineConfigSelector': {'matchExpressions': [{'key': '`+roleLabel+`', 'operator': 'In', 'values': ['worker', '`+name+`']}]},
			'nodeSelector': {'matchLabels': {'`+name+`': ''}},
			'configuration': {'name': 'new'}, 'osImageStream': {'name': 'rhel-10'}}}`)
}

// nodeOf is ready unless its labels say otherwise; states are like "old new Working": current, desired, state.
func nodeOf(t *testing.T, name, states string, labels ...string) node {
	n := read[node](t, `{'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}`)
	n.Metadata.Name = name
	n.Metadata.Labels = map[string]string{}
	for _, label := range labels {
		n.Metadata.Labels[label] = ""
	}
	if words := strings.Fields(states); len(words) == 3 {
		n.Metadata.Annotations = map[string]string{currentConfig: words[0], desiredConfig: words[1], daemonState: words[2]}
	}
	return n
}

func TestPoolOfNode(t *testing.T) {
	var all []pool
	for _, name := range []string{"arbiter", "edge", "gpu", "master", "worker"} {
		all = append(all, poolOf(t, name))
	}
	for labels, want := range map[string]string{
		"worker":             "worker",
		"worker edge":        "edge worker",
		"edge":               "edge",
		"master worker":      "master",
		"master worker edge": "master worker",
		"arbiter":            "arbiter",
		"none":               "",
		"edge gpu":           "node n belongs to 2 custom roles, cannot proceed with this Node",
		"master edge gpu":    "node n belongs to 2 custom roles, cannot proceed with this Node",
		"worker edge gpu":    "node n belongs to 2 custom roles, cannot proceed with this Node",
	} {
		pools, err := poolsOf(nodeOf(t, "n", "", strings.Fields(labels)...), all)
		var names []string
		for _, p := range pools {
			names = append(names, p.name())
		}
		got := strings.Join(names, " ")
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", labels, got, want)
		}
	}
}

func TestCandidates(t *testing.T) {
	notReady := nodeOf(t, "c", "old old Done")
	notReady.Status.Conditions[0].Status = "Unknown"
	cordoned := nodeOf(t, "d", "old old Done")
	cordoned.Spec.Unschedulable = true
	one, two := nodeOf(t, "a", "old old Done"), nodeOf(t, "b", "old old Done")
	working, begun, done := nodeOf(t, "e", "old new Working"), nodeOf(t, "f", "old new Done"), nodeOf(t, "g", "new new Done")
	failing := nodeOf(t, "h", "old new Degraded")
	zoned := nodeOf(t, "z", "old old Done")
	zoned.Metadata.Labels[zoneLabel] = "north"
	for _, c := range []struct {
		name  string
		limit any
		nodes []node
		want  string
	}{
		{"one by default", nil, []node{one, two}, "a"},
		{"a number", 2.0, []node{one, two, done}, "a b"},
		{"a percentage, rounded down", "70%", []node{one, two, done}, "a b"},
		{"never none", "1%", []node{one, two}, "a"},
		{"a node at work uses up capacity", nil, []node{one, working}, ""},
		{"one that is told too", 2.0, []node{one, two, begun}, "a"},
		{"one that is not ready too", nil, []node{one, notReady}, ""},
		{"one that is cordoned too", 2.0, []node{one, two, cordoned}, "a"},
		{"one that fails with this configuration too", nil, []node{one, failing}, ""},
		{"nobody is told twice", 3.0, []node{done, begun}, ""},
		{"zones first", nil, []node{one, zoned}, "z"},
	} {
		p := poolOf(t, "worker")
		p.Spec.MaxUnavailable = c.limit
		chosen, err := candidates(p, c.nodes)
		var names []string
		for _, n := range chosen {
			names = append(names, n.name())
		}
		if got := strings.Join(names, " "); got != c.want || err != nil {
			t.Errorf("%s: %q %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	begin := time.Date(2026, 8, 20, 12, 0, 0, 0, time.UTC)
	p := poolOf(t, "worker")
	p.Spec.Configuration.Name = "old"
	p.Status = statusOf(p, []node{nodeOf(t, "a", "old old Done"), nodeOf(t, "b", "old old Done")}, begin)
	check := func(want string) {
		t.Helper()
		var words []string
		for _, kind := range []string{"Updated", "Updating", "NodeDegraded", "Degraded"} {
			for _, c := range p.Status.Conditions {
				if c.Type == kind {
					words = append(words, strings.TrimSpace(kind+"="+c.Status+" "+c.LastTransitionTime[14:19]+" "+c.Message))
				}
			}
		}
		words = append(words, p.Status.Configuration.Name)
		if got := strings.Join(words, "; "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	check("Updated=True 00:00 All nodes are updated with MachineConfig old; Updating=False 00:00; NodeDegraded=False 00:00; Degraded=False 00:00; old")

	p.Spec.Configuration.Name = "new"
	p.Status = statusOf(p, []node{nodeOf(t, "a", "old old Done"), nodeOf(t, "b", "old old Done")}, begin.Add(time.Second))
	check("Updated=False 00:01; Updating=True 00:01 All nodes are updating to MachineConfig new; NodeDegraded=False 00:00; Degraded=False 00:00; old")

	p.Spec.Paused = true
	p.Status = statusOf(p, []node{nodeOf(t, "a", "new new Done"), nodeOf(t, "b", "old new Working")}, begin.Add(2*time.Second))
	check("Updated=False 00:01; Updating=False 00:02 Pool is paused; will not update to MachineConfig new; NodeDegraded=False 00:00; Degraded=False 00:00; old")
	if s := p.Status; s.MachineCount != 2 || s.UpdatedMachineCount != 1 || s.ReadyMachineCount != 1 || s.UnavailableMachineCount != 1 || s.ObservedGeneration != 7 {
		t.Errorf("%+v", s)
	}

	p.Spec.Paused = false
	degraded := nodeOf(t, "b", "old new Degraded")
	degraded.Metadata.Annotations[daemonReason] = "disk full"
	p.Status = statusOf(p, []node{nodeOf(t, "a", "new new Done"), degraded}, begin.Add(3*time.Second))
	check(`Updated=False 00:01; Updating=True 00:03 All nodes are updating to MachineConfig new; NodeDegraded=True 00:03 Node b is reporting: "disk full"; Degraded=True 00:03 Node b is reporting: "disk full"; old`)

	p.Status = statusOf(p, []node{nodeOf(t, "a", "new new Done"), nodeOf(t, "b", "new new Done")}, begin.Add(4*time.Second))
	check("Updated=True 00:04 All nodes are updated with MachineConfig new; Updating=False 00:04; NodeDegraded=False 00:04; Degraded=False 00:04; new")
	if again := statusOf(p, []node{nodeOf(t, "a", "new new Done"), nodeOf(t, "b", "new new Done")}, begin.Add(5*time.Second)); !equalJSON(again, p.Status) {
		t.Errorf("another status without a change: %+v", again)
	}
}

func TestPoolIsSentBackWhole(t *testing.T) {
	text, _ := json.Marshal(poolOf(t, "worker").with("spec", map[string]any{"configuration": configuration{Name: "other"}}))
	for _, part := range []string{`"osImageStream":{"name":"rhel-10"}`, `"resourceVersion":"12"`, `"configuration":{"name":"other"}`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func toJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
