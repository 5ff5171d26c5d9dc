package main

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
)

func configOf(t *testing.T, name, role, content string) machineConfig {
	config := read[machineConfig](t, `{'metadata': {'name': '`+name+`'}, 'spec': {'kernelArguments': ['`+name+`'],
		'config': {'storage': {'files': [{'path': '/etc/motd', 'contents': '`+content+`'}, {'path': '/etc/`+name+`'}]}}}}`)
	if role != "" {
		config.Metadata.Labels = map[string]string{roleLabel: role}
	}
	return config
}

func TestPoolsToRender(t *testing.T) {
	negative := read[pool](t, `{'metadata': {'name': 'negative'}, 'spec': {'machineConfigSelector':
		{'matchExpressions': [{'key': '`+roleLabel+`', 'operator': 'NotIn', 'values': ['master', 'worker', 'edge']}]}}}`)
	empty := read[pool](t, `{'metadata': {'name': 'empty'}, 'spec': {'machineConfigSelector': {}}}`)
	all := []pool{poolOf(t, "worker"), poolOf(t, "edge"), negative, empty}
	worker, edge := configOf(t, "60-motd", "worker", "a"), configOf(t, "60-motd", "edge", "a")
	changed, relabelled, bare := configOf(t, "60-motd", "edge", "b"), configOf(t, "60-motd", "worker", "b"), configOf(t, "60-motd", "", "a")
	rendered := configOf(t, "rendered-edge-0", "", "a")
	rendered.Metadata.OwnerReferences = []ownerReference{{Kind: "MachineConfigPool", Name: "edge", Controller: true}}
	for _, c := range []struct {
		name          string
		before, after *machineConfig
		want          string
	}{
		{"created for workers", nil, &worker, "[worker edge]"},
		{"created for one pool", nil, &edge, "[edge]"},
		{"deleted", &worker, nil, "[worker edge]"},
		{"changed", &edge, &changed, "[edge]"},
		{"same spec, other labels", &edge, &worker, "[]"},
		{"other spec, other labels: the new ones", &edge, &relabelled, "[worker edge]"},
		{"without labels", nil, &bare, "[]"},
		{"rendered", nil, &rendered, "[edge]"},
	} {
		if got := fmt.Sprint(poolsToRender(c.before, c.after, all)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRender(t *testing.T) {
	p := poolOf(t, "edge")
	worker, edge := configOf(t, "99-worker", "worker", "worker"), configOf(t, "01-edge", "edge", "edge")
	other := configOf(t, "50-master", "master", "master")
	first, target, err := render(p, []machineConfig{worker, other, edge})
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^rendered-edge-[0-9a-f]{32}$`).MatchString(target.Name) {
		t.Errorf("name %s", target.Name)
	}
	if got := fmt.Sprint(target.Source); got != fmt.Sprint([]objectReference{
		{machineConfigGroup + "/v1", "MachineConfig", "01-edge"}, {machineConfigGroup + "/v1", "MachineConfig", "99-worker"},
	}) {
		t.Errorf("sources %s", got)
	}
	// the pool's own role wins
	if got := fmt.Sprint(first["spec"]); got != "map[config:map[storage:map[files:[map[contents:edge path:/etc/motd] "+
		"map[path:/etc/99-worker] map[path:/etc/01-edge]]]] kernelArguments:[99-worker 01-edge]]" {
		t.Errorf("spec %s", got)
	}
	own := read[machineConfig](t, toJSON(first))
	if !own.isRendered() || own.Metadata.OwnerReferences[0].UID != "u-edge" {
		t.Errorf("owner %+v", own.Metadata.OwnerReferences)
	}
	_, again, _ := render(p, []machineConfig{edge, worker, own})
	if again.Name != target.Name {
		t.Errorf("the same content has the names %s and %s", target.Name, again.Name)
	}
	_, changed, _ := render(p, slices.Concat([]machineConfig{configOf(t, "99-worker", "worker", "more")}, []machineConfig{edge, configOf(t, "98-worker", "worker", "")}))
	if changed.Name == target.Name {
		t.Error("other content has the same name")
	}
	if _, _, err := render(p, []machineConfig{other}); err == nil {
		t.Error("a pool without MachineConfigs is rendered")
	}
}
