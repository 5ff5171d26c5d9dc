package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	machineConfigGroup = "machineconfiguration.openshift.io"
	machineConfigsPath = "/apis/" + machineConfigGroup + "/v1/machineconfigs"
	poolsPath          = "/apis/" + machineConfigGroup + "/v1/machineconfigpools"
	nodesPath          = "/api/v1/nodes"

	currentConfig = machineConfigGroup + "/currentConfig"
	desiredConfig = machineConfigGroup + "/desiredConfig"
	daemonState   = machineConfigGroup + "/state"
	daemonReason  = machineConfigGroup + "/reason"
	roleLabel     = machineConfigGroup + "/role"
	zoneLabel     = "topology.kubernetes.io/zone"
)

// metadata is the part of an object's metadata that the stand-in reads.
type metadata struct {
	Name, UID, ResourceVersion           string
	CreationTimestamp, DeletionTimestamp string
	Generation                           int64
	Labels, Annotations                  map[string]string
	OwnerReferences                      []ownerReference
}

type ownerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller bool   `json:"controller"`
}

type machineConfig struct {
	Metadata metadata
	Spec     map[string]any
}

func (m machineConfig) name() string     { return m.Metadata.Name }
func (m machineConfig) revision() string { return m.Metadata.ResourceVersion }

// isRendered tells whether a pool's controller made it.
func (m machineConfig) isRendered() bool { return m.owner() != "" }

// owner is the name of the pool that it was rendered for.
func (m machineConfig) owner() string {
	for _, owner := range m.Metadata.OwnerReferences {
		if owner.Controller && owner.Kind == "MachineConfigPool" {
			return owner.Name
		}
	}
	return ""
}

type pool struct {
	Metadata metadata
	Spec     struct {
		MachineConfigSelector, NodeSelector *labelSelector
		MaxUnavailable                      any
		Paused                              bool
		Configuration                       configuration
	}
	Status poolStatus

	whole map[string]any // with what we do not know, to be sent back
}

type configuration struct {
	Name   string            `json:"name,omitempty"`
	Source []objectReference `json:"source,omitempty"`
}

type objectReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

type poolStatus struct {
	ObservedGeneration      int64         `json:"observedGeneration"`
	Configuration           configuration `json:"configuration"`
	MachineCount            int           `json:"machineCount"`
	UpdatedMachineCount     int           `json:"updatedMachineCount"`
	ReadyMachineCount       int           `json:"readyMachineCount"`
	UnavailableMachineCount int           `json:"unavailableMachineCount"`
	DegradedMachineCount    int           `json:"degradedMachineCount"`
	Conditions              []condition   `json:"conditions"`
}

type condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"`
	LastTransitionTime string `json:"lastTransitionTime"`
	Reason             string `json:"reason"`
	Message            string `json:"message"`
}

func (p pool) name() string     { return p.Metadata.Name }
func (p pool) revision() string { return p.Metadata.ResourceVersion }

func (p *pool) UnmarshalJSON(text []byte) error {
	type plain pool
	if err := json.Unmarshal(text, (*plain)(p)); err != nil {
		return err
	}
	return json.Unmarshal(text, &p.whole)
}

// with is the whole pool with some fields of one part (spec, status) set; it carries the revision that was read.
func (p pool) with(part string, fields any) map[string]any {
	whole, changed := maps.Clone(p.whole), map[string]any{}
	if before, ok := whole[part].(map[string]any); ok {
		changed = maps.Clone(before)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // a value of ours
	}
	var values map[string]any
	if err := json.Unmarshal(text, &values); err != nil {
		panic(err)
	}
	maps.Copy(changed, values)
	whole[part] = changed
	return whole
}

func (p pool) target() string { return "MachineConfig " + p.Spec.Configuration.Name }

// maxUnavailable is at least one. A number, or a percentage of the nodes, rounded down.
func (p pool) maxUnavailable(nodes int) (int, error) {
	limit := 1
	switch value := p.Spec.MaxUnavailable.(type) {
	case nil:
	case float64:
		limit = int(value)
	case string:
		percent, err := strconv.Atoi(strings.TrimSuffix(value, "%"))
		if err != nil || !strings.HasSuffix(value, "%") {
			return 0, fmt.Errorf("invalid value for IntOrString: %q", value)
		}
		limit = nodes * percent / 100
	}
	if p.name() == "arbiter" {
		limit = 1
	}
	return max(limit, 1), nil
}

type node struct {
	Metadata metadata
	Spec     struct {
		Unschedulable bool
		Taints        []map[string]any
	}
	Status struct {
		Conditions []struct{ Type, Status string }
	}
}

func (n node) name() string     { return n.Metadata.Name }
func (n node) revision() string { return n.Metadata.ResourceVersion }
func (n node) path() string     { return nodesPath + "/" + n.name() }
func (n node) current() string  { return n.Metadata.Annotations[currentConfig] }
func (n node) desired() string  { return n.Metadata.Annotations[desiredConfig] }
func (n node) state() string    { return n.Metadata.Annotations[daemonState] }

func (n node) isReady() bool {
	ready := false
	for _, c := range n.Status.Conditions {
		switch c.Type {
		case "Ready":
			ready = c.Status == "True"
		case "NetworkUnavailable":
			if c.Status == "True" {
				return false
			}
		}
	}
	return ready && !n.Spec.Unschedulable
}

// isDone tells whether the daemon has nothing to do.
func (n node) isDone() bool {
	return n.current() != "" && n.current() == n.desired() && n.state() == "Done"
}

func (n node) isFailing() bool {
	return n.current() != n.desired() && n.isDegraded()
}

func (n node) isDegraded() bool {
	return n.state() == "Degraded" || n.state() == "Unreconcilable"
}

// isUnavailable tells whether the node uses up capacity: not ready, or the daemon is at work or about to be.
func (n node) isUnavailable() bool {
	return !n.isReady() || !n.isDone() && !n.isFailing()
}

// changedForPool tells whether a change of the node concerns its pool: its heartbeats do not.
func changedForPool(before, after node) bool {
	for _, key := range []string{currentConfig, desiredConfig, daemonState, daemonReason} {
		if before.Metadata.Annotations[key] != after.Metadata.Annotations[key] {
			return true
		}
	}
	return before.isReady() != after.isReady() || !maps.Equal(before.Metadata.Labels, after.Metadata.Labels) ||
		!reflect.DeepEqual(before.Spec.Taints, after.Spec.Taints)
}

// poolsOf returns the node's pools, the one that it follows first; none for a node that no pool selects. A node that
// two custom pools select follows neither.
func poolsOf(n node, all []pool) ([]pool, error) {
	if n.Metadata.Labels["kubernetes.io/os"] == "windows" {
		return nil, nil
	}
	var custom []pool
	known := map[string]pool{}
	for _, p := range all {
		if !p.Spec.NodeSelector.matches(n.Metadata.Labels) {
			continue
		}
		switch p.name() {
		case "master", "arbiter", "worker":
			known[p.name()] = p
		default:
			custom = append(custom, p)
		}
	}
	if len(custom) > 1 {
		return nil, fmt.Errorf("node %s belongs to %d custom roles, cannot proceed with this Node", n.name(), len(custom))
	}
	var pools []pool
	for _, name := range []string{"master", "arbiter"} {
		if p, here := known[name]; here && len(pools) == 0 {
			pools = append(pools, p)
		}
	}
	if len(pools) == 0 {
		pools = custom
	}
	if p, here := known["worker"]; here && (len(pools) == 0 || len(custom) > 0) {
		pools = append(slices.Clone(pools), p)
	}
	return pools, nil
}

// candidates returns the nodes that may be told the pool's configuration now, in the order of zones and ages.
func candidates(p pool, nodes []node) ([]node, error) {
	capacity, err := p.maxUnavailable(len(nodes))
	if err != nil {
		return nil, err
	}
	var chosen []node
	for _, n := range nodes {
		isTold := n.desired() == p.Spec.Configuration.Name
		if n.isUnavailable() || isTold && n.isFailing() {
			capacity--
		}
		if !isTold {
			chosen = append(chosen, n)
		}
	}
	slices.SortStableFunc(chosen, func(a, b node) int {
		zoneA, zoneB := a.Metadata.Labels[zoneLabel], b.Metadata.Labels[zoneLabel]
		if zoneA != zoneB && (zoneA == "" || zoneB == "") {
			return strings.Compare(zoneB, zoneA) // without a zone: last
		}
		if zoneA != zoneB {
			return strings.Compare(zoneA, zoneB)
		}
		return strings.Compare(a.Metadata.CreationTimestamp, b.Metadata.CreationTimestamp)
	})
	return chosen[:min(max(capacity, 0), len(chosen))], nil
}

// statusOf is what the node controller says about the pool.
func statusOf(p pool, nodes []node, now time.Time) poolStatus {
	status := p.Status
	status.Conditions = slices.Clone(p.Status.Conditions)
	status.ObservedGeneration = p.Metadata.Generation
	status.MachineCount = len(nodes)
	status.UpdatedMachineCount, status.ReadyMachineCount = 0, 0
	status.UnavailableMachineCount, status.DegradedMachineCount = 0, 0
	var reasons []string
	for _, n := range nodes {
		if n.isDone() && n.desired() == p.Spec.Configuration.Name {
			status.UpdatedMachineCount++
			if n.isReady() {
				status.ReadyMachineCount++
			}
		}
		if n.isUnavailable() {
			status.UnavailableMachineCount++
		}
		if n.isDegraded() {
			status.DegradedMachineCount++
			reasons = append(reasons, fmt.Sprintf("Node %s is reporting: %q", n.name(), n.Metadata.Annotations[daemonReason]))
		}
	}
	set := func(kind string, holds bool, reason, message string) { status.set(kind, holds, reason, message, now) }
	switch {
	case status.UpdatedMachineCount == len(nodes) && status.ReadyMachineCount == len(nodes) && status.UnavailableMachineCount == 0:
		set("Updated", true, "", "All nodes are updated with "+p.target())
		set("Updating", false, "", "")
		status.Configuration = p.Spec.Configuration
	case p.Spec.Paused:
		set("Updated", false, "", "")
		set("Updating", false, "", "Pool is paused; will not update to "+p.target())
	default:
		set("Updated", false, "", "")
		set("Updating", true, "", "All nodes are updating to "+p.target())
	}
	degraded := strings.Join(reasons, ", ")
	if status.DegradedMachineCount > 0 {
		set("NodeDegraded", true, fmt.Sprintf("%d nodes are reporting degraded status on sync", status.DegradedMachineCount), degraded)
	} else {
		set("NodeDegraded", false, "", "")
	}
	set("Degraded", status.DegradedMachineCount > 0 || status.holds("RenderDegraded"), "", degraded)
	return status
}

func (s *poolStatus) holds(kind string) bool {
	return slices.ContainsFunc(s.Conditions, func(c condition) bool { return c.Type == kind && c.Status == "True" })
}

// set changes a condition; its time moves only with its status.
func (s *poolStatus) set(kind string, holds bool, reason, message string, now time.Time) {
	next := condition{kind, "False", timestamp(now), reason, message}
	if holds {
		next.Status = "True"
	}
	for _, before := range s.Conditions {
		if before.Type == kind && before.Status == next.Status {
			next.LastTransitionTime = before.LastTransitionTime
			if before == next {
				return
			}
		}
	}
	s.Conditions = slices.DeleteFunc(s.Conditions, func(c condition) bool { return c.Type == kind })
	s.Conditions = append(s.Conditions, next)
}
