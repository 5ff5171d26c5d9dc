package main

import (
	"fmt"
	"slices"
	"time"
)

// Labels by which a Pod chooses what becomes of it.
const (
	outcomeLabel = "testbed.gitops-interlock.dev/outcome"
	afterLabel   = "testbed.gitops-interlock.dev/after"
)

// A pod is the part of a Pod that the kubelet stand-in reads.
type pod struct {
	Metadata struct {
		Namespace, Name, UID string
		DeletionTimestamp    string
		Labels               map[string]string
		OwnerReferences      []struct{ Kind string }
	}
	Spec struct {
		SchedulingGates            []any
		InitContainers, Containers []struct{ Name, Image string }
	}
	Status struct{ Phase string }
}

// An outcome is how a Pod's containers end.
type outcome struct {
	phase    string
	exitCode int
	reason   string
}

var (
	succeeded = outcome{"Succeeded", 0, "Completed"}
	failed    = outcome{"Failed", 1, "Error"}
	killed    = outcome{"Failed", 143, "Error"} // SIGTERM
)

func (p pod) path() string {
	return fmt.Sprintf("/api/v1/namespaces/%s/pods/%s", p.Metadata.Namespace, p.Metadata.Name)
}

func (p pod) waitsForScheduling() bool { return len(p.Spec.SchedulingGates) > 0 }

func (p pod) finished() bool { return p.Status.Phase == "Succeeded" || p.Status.Phase == "Failed" }

func (p pod) outcome() outcome {
	if p.Metadata.Labels[outcomeLabel] == "fail" {
		return failed
	}
	return succeeded
}

// end fires when the containers end by themselves; never, for a Pod that runs for good.
func (p pod) end() <-chan time.Time {
	if p.Metadata.Labels[outcomeLabel] == "run" || slices.ContainsFunc(p.Metadata.OwnerReferences, isReplicaSet) {
		return nil
	}
	after, _ := time.ParseDuration(p.Metadata.Labels[afterLabel]) // unreadable is the same as absent: at once
	return time.After(after)
}

func isReplicaSet(owner struct{ Kind string }) bool { return owner.Kind == "ReplicaSet" }

func (p pod) running(since time.Time) map[string]any {
	state := map[string]any{"running": map[string]any{"startedAt": timestamp(since)}}
	return p.status("Running", "True", since, state)
}

func (p pod) terminated(how outcome, since time.Time) map[string]any {
	return p.status(how.phase, "False", since, terminated(how, since))
}

func (p pod) status(phase, ready string, since time.Time, state map[string]any) map[string]any {
	var conditions []any
	for _, condition := range []struct{ kind, status string }{
		{"PodScheduled", "True"}, {"Initialized", "True"}, {"ContainersReady", ready}, {"Ready", ready},
	} {
		conditions = append(conditions, map[string]any{
			"type": condition.kind, "status": condition.status, "lastTransitionTime": timestamp(time.Now()),
		})
	}
	containers := []any{}
	for _, c := range p.Spec.Containers {
		containers = append(containers, containerStatus(c.Name, c.Image, phase == "Running", state))
	}
	initContainers := []any{}
	for _, c := range p.Spec.InitContainers {
		initContainers = append(initContainers, containerStatus(c.Name, c.Image, false, terminated(succeeded, since)))
	}
	return map[string]any{
		"phase": phase, "startTime": timestamp(since), "conditions": conditions,
		"containerStatuses": containers, "initContainerStatuses": initContainers,
	}
}

func containerStatus(name, image string, running bool, state map[string]any) map[string]any {
	return map[string]any{
		"name": name, "image": image, "imageID": image, "restartCount": 0,
		"ready": running, "started": running, "state": state,
	}
}

func terminated(how outcome, since time.Time) map[string]any {
	return map[string]any{"terminated": map[string]any{
		"exitCode": how.exitCode, "reason": how.reason,
		"startedAt": timestamp(since), "finishedAt": timestamp(time.Now()),
	}}
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
