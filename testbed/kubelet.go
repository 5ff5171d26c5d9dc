package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// A kubelet plays the kubelets and the scheduler: no Pod runs anywhere, but each one's status says that it did.
type kubelet struct {
	api  *apiClient
	log  *log.Logger
	wait sync.WaitGroup
	pods map[string]*podLife // by uid; used by the watching goroutine only
}

// A podLife is the goroutine that takes one Pod through its phases.
type podLife struct {
	leave    context.CancelFunc // the Pod is gone
	deletion chan struct{}      // closed when the Pod is being deleted
	deleting bool
}

// runKubelet returns when the context ends.
func runKubelet(ctx context.Context, api *apiClient, logPath string) error {
	file, err := os.Create(logPath)
	if err != nil {
		return err
	}
	defer file.Close()
	k := &kubelet{api: api, log: log.New(file, "", log.LstdFlags|log.Lmicroseconds), pods: map[string]*podLife{}}
	defer k.wait.Wait()
	for ctx.Err() == nil {
		err := k.follow(ctx)
		k.log.Printf("watch ended, listing again: %v", err)
		pause(ctx, retryPause)
	}
	return nil
}

// follow keeps up with all Pods until the watch breaks.
func (k *kubelet) follow(ctx context.Context) error {
	return follow(ctx, k.api, "/api/v1/pods", func(pods []pod) {
		present := map[string]bool{}
		for _, p := range pods {
			present[p.Metadata.UID] = true
			k.see(ctx, p)
		}
		for uid := range k.pods {
			if !present[uid] {
				k.forget(uid)
			}
		}
	}, func(deleted bool, p pod) {
		if deleted {
			k.forget(p.Metadata.UID)
		} else {
			k.see(ctx, p)
		}
	})
}

// see takes note of a Pod's state. It may be called any number of times with the same state.
func (k *kubelet) see(ctx context.Context, p pod) {
	life, known := k.pods[p.Metadata.UID]
	if !known {
		if p.waitsForScheduling() {
			return
		}
		lifetime, leave := context.WithCancel(ctx)
		life = &podLife{leave: leave, deletion: make(chan struct{})}
		k.pods[p.Metadata.UID] = life
		k.wait.Go(func() {
			defer leave()
			k.play(lifetime, p, life.deletion)
		})
	}
	if p.Metadata.DeletionTimestamp != "" && !life.deleting {
		life.deleting = true
		close(life.deletion)
	}
}

func (k *kubelet) forget(uid string) {
	if life, known := k.pods[uid]; known {
		life.leave()
		delete(k.pods, uid)
	}
}

// play is the life of one Pod, up to its removal.
func (k *kubelet) play(ctx context.Context, p pod, deletion <-chan struct{}) {
	if !p.finished() {
		started := time.Now()
		k.report(ctx, p, p.running(started))
		outcome := p.outcome()
		select {
		case <-deletion:
			outcome = killed
		case <-p.end():
		case <-ctx.Done():
			return
		}
		k.report(ctx, p, p.terminated(outcome, started))
	}
	select {
	case <-deletion:
		k.remove(ctx, p)
	case <-ctx.Done():
	}
}

func (k *kubelet) report(ctx context.Context, p pod, status map[string]any) {
	patch := map[string]any{
		"metadata": map[string]any{"uid": p.Metadata.UID}, // not a later Pod of the same name
		"status":   status,
	}
	k.insist(ctx, http.MethodPatch, p.path()+"/status", patch)
}

func (k *kubelet) remove(ctx context.Context, p pod) {
	k.insist(ctx, http.MethodDelete, p.path(), map[string]any{
		"apiVersion": "v1", "kind": "DeleteOptions",
		"gracePeriodSeconds": 0,
		"preconditions":      map[string]any{"uid": p.Metadata.UID},
	})
}

// insist repeats a call until it succeeds or cannot succeed any more.
func (k *kubelet) insist(ctx context.Context, method, path string, body any) {
	for ctx.Err() == nil {
		err := k.api.call(ctx, method, path, body, nil)
		if err == nil || ctx.Err() != nil {
			return
		}
		k.log.Printf("%s %s: %v", method, path, err)
		var status *statusError
		if errors.As(err, &status) && status.code < 500 && status.code != http.StatusTooManyRequests {
			return // gone, replaced, or a status that the API server does not take
		}
		pause(ctx, retryPause)
	}
}
