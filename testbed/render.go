package main

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// poolsToRender returns the pools that a change of a MachineConfig concerns at once: by its new labels only, and not
// at all if its spec is as before. Without labels it concerns none, although a negative selector matches it.
func poolsToRender(before, after *machineConfig, pools []pool) []string {
	config := after
	if config == nil {
		config = before
	}
	if before != nil && after != nil && equalJSON(before.Spec, after.Spec) {
		return nil
	}
	if owner := config.owner(); owner != "" {
		return []string{owner}
	}
	var names []string
	for _, p := range pools {
		if len(config.Metadata.Labels) > 0 && p.Spec.MachineConfigSelector.matches(config.Metadata.Labels) {
			names = append(names, p.name())
		}
	}
	return names
}

// render merges the pool's MachineConfigs into the one that its nodes are to have.
func render(p pool, all []machineConfig) (rendered map[string]any, target configuration, err error) {
	var sources []machineConfig
	for _, config := range all {
		if !config.isRendered() && p.Spec.MachineConfigSelector.matches(config.Metadata.Labels) {
			sources = append(sources, config)
		}
	}
	if len(sources) == 0 {
		return nil, configuration{}, fmt.Errorf("no MachineConfigs found matching selector of pool %s", p.name())
	}
	slices.SortFunc(sources, func(a, b machineConfig) int { return strings.Compare(a.name(), b.name()) })
	for _, source := range sources {
		target.Source = append(target.Source, objectReference{machineConfigGroup + "/v1", "MachineConfig", source.name()})
	}
	spec := map[string]any{}
	// the roles of its own win over those that a custom pool has from worker
	slices.SortStableFunc(sources, func(a, b machineConfig) int { return rank(a) - rank(b) })
	for _, source := range sources {
		spec = mergeObjects(spec, source.Spec)
	}
	content, err := json.Marshal(spec) // with its keys in order
	if err != nil {
		return nil, configuration{}, err
	}
	target.Name = fmt.Sprintf("rendered-%s-%x", p.name(), md5.Sum(content))
	return map[string]any{
		"apiVersion": machineConfigGroup + "/v1", "kind": "MachineConfig",
		"metadata": map[string]any{
			"name":        target.Name,
			"annotations": map[string]any{machineConfigGroup + "/generated-by-controller-version": "testbed"},
			"ownerReferences": []any{map[string]any{
				"apiVersion": machineConfigGroup + "/v1", "kind": "MachineConfigPool",
				"name": p.name(), "uid": p.Metadata.UID, "controller": true, "blockOwnerDeletion": true,
			}},
		},
		"spec": spec,
	}, target, nil
}

func rank(config machineConfig) int {
	if config.Metadata.Labels[roleLabel] == "worker" {
		return 0
	}
	return 1
}

// mergeObjects takes what is in the second over the first; lists of things with a path or a name are merged by it,
// other lists are joined.
func mergeObjects(first, second map[string]any) map[string]any {
	merged := maps.Clone(first)
	for key, value := range second {
		merged[key] = mergeValues(merged[key], value)
	}
	return merged
}

func mergeValues(first, second any) any {
	switch second := second.(type) {
	case map[string]any:
		if first, ok := first.(map[string]any); ok {
			return mergeObjects(first, second)
		}
	case []any:
		if first, ok := first.([]any); ok {
			return mergeLists(first, second)
		}
	}
	return second
}

func mergeLists(first, second []any) []any {
	merged := slices.Clone(first)
	for _, item := range second {
		same := func(other any) bool { return identity(item) != "" && identity(other) == identity(item) }
		if at := slices.IndexFunc(merged, same); at >= 0 {
			merged[at] = item
		} else {
			merged = append(merged, item)
		}
	}
	return merged
}

func identity(item any) string {
	object, _ := item.(map[string]any)
	for _, key := range []string{"path", "name"} {
		if value, ok := object[key].(string); ok {
			return value
		}
	}
	return ""
}

func equalJSON(a, b any) bool {
	first, errA := json.Marshal(a)
	second, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(first) == string(second)
}
