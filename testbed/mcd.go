package main

import (
	"context"
	"log"
	"net/http"
	"sync"
	"time"
)

// An mcd plays the machine-config daemons of all nodes: nothing is written or rebooted anywhere, but each node's
// annotations say that it was.
type mcd struct {
	api   *apiClient
	log   *log.Logger
	pace  float64
	pools *store[pool]
	nodes *store[node]
	work  *queue
}

func newMCD(api *apiClient, log *log.Logger, pace float64) *mcd {
	return &mcd{api, log, pace, newStore[pool](), newStore[node](), newQueue(pace)}
}

// run returns when the context ends.
func (d *mcd) run(ctx context.Context) {
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() {
		d.pools.run(ctx, d.api, poolsPath, d.log, func(_, _ *pool) {
			for _, n := range d.nodes.all() {
				if n.desired() == "" { // its pool may have a configuration by now
					d.work.addAfter(n.name(), daemonDelay)
				}
			}
		})
	})
	wait.Go(func() {
		d.nodes.run(ctx, d.api, nodesPath, d.log, func(_, after *node) {
			if after != nil && !after.isDone() {
				d.work.addAfter(after.name(), daemonDelay)
			}
		})
	})
	d.work.run(ctx, d.bring)
}

// bring takes one node to its desired configuration; once begun, it is not turned away from it.
func (d *mcd) bring(ctx context.Context, name string) error {
	var n node // as it is now: our copy may not show yet what we did ourselves
	err := d.call(ctx, http.MethodGet, nodesPath+"/"+name, nil, &n)
	if hasStatus(err, http.StatusNotFound) || err == nil && n.isDone() {
		return nil
	}
	if err != nil {
		return err
	}
	if n.desired() == "" {
		return d.join(ctx, n)
	}
	target := n.desired()
	if n.current() != target {
		d.log.Printf("node %s: update from %s to %s", name, n.current(), target)
		if err := d.report(ctx, n, map[string]any{daemonState: "Working"}); err != nil {
			return err
		}
		pause(ctx, time.Duration(float64(daemonWork)*d.pace))
	}
	return d.report(ctx, n, map[string]any{currentConfig: target, daemonState: "Done", daemonReason: ""})
}

// join gives a new node the configuration with which a machine of its pool would boot.
func (d *mcd) join(ctx context.Context, n node) error {
	pools, err := poolsOf(n, d.pools.all())
	if err != nil || len(pools) == 0 {
		return nil // the controller says what is wrong with it
	}
	name := pools[0].Status.Configuration.Name
	if name == "" {
		name = pools[0].Spec.Configuration.Name
	}
	if name == "" {
		return nil // comes back with the pool's next change
	}
	return d.report(ctx, n, map[string]any{currentConfig: name, desiredConfig: name, daemonState: "Done", daemonReason: ""})
}

func (d *mcd) report(ctx context.Context, n node, values map[string]any) error {
	return d.call(ctx, http.MethodPatch, n.path(), annotations(values), nil)
}

// call logs what goes wrong.
func (d *mcd) call(ctx context.Context, method, path string, body, out any) error {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	err := d.api.call(limited, method, path, body, out)
	if err != nil && ctx.Err() == nil {
		d.log.Printf("%s %s: %s", method, path, inOneLine(err))
	}
	return err
}
