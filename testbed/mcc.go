package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// The controllers' debounce times and the daemon's work, at pace 1.
const (
	renderDelay   = 5 * time.Second
	nodeDelay     = 5 * time.Second
	daemonDelay   = time.Second
	daemonWork    = 10 * time.Second
	conflictPause = 100 * time.Millisecond
)

// callLimit ends calls that are never answered, at any pace.
const callLimit = time.Minute

// inProgressTaint marks nodes that are to be updated, so that Pods rather go elsewhere.
const inProgressTaint = "UpdateInProgress"

// An mcc plays the machine-config controller: its render controller and its node controller. All of its state is in
// the API.
//
// Five seconds after a change it renders what a pool selects, five later it sends up to maxUnavailable Nodes. It tries again
// what is refused, after 5 ms, 10 ms, ... 82 s, then a minute, then from the start.
//
// The real ones (openshift/machine-config-operator, commit 7ff337a4; * seen in their source alone) differ:
//   - After 15 tries they log "Dropping machineconfigpool ... out of the queue"; the times are the same.
//   - They write the desired version into the MachineConfigNode first, and it stays when the Node's patch is refused.
//   - They render once the ControllerConfig is complete, and make the 00-, 01- and 97- to 99- MachineConfigs themselves.
//   - With more than two pools, one can wait for another. Each comes back every 20 to 40 minutes without a change. (*)
//   - They never choose a Node that is not ready or cordoned; here it takes up capacity. The operator's Node goes last;
//     here age decides. (*)
//   - The pool master drives arbiter, after itself, and not while a master is unavailable. (*)
//   - They also drain, annotate and label Nodes further, build images on the cluster (*), refuse merges (*), write Events
//     on the pool (*), and restart with leader election, 2 min 17 s and more after a kill (*).
type mcc struct {
	api     *apiClient
	log     *log.Logger
	pace    float64
	configs *store[machineConfig]
	pools   *store[pool]
	nodes   *store[node]
	renders *queue
	updates *queue
}

func newMCC(api *apiClient, log *log.Logger, pace float64) *mcc {
	return &mcc{
		api: api, log: log, pace: pace,
		configs: newStore[machineConfig](), pools: newStore[pool](), nodes: newStore[node](),
		renders: newQueue(pace), updates: newQueue(pace),
	}
}

// run returns when the context ends.
func (c *mcc) run(ctx context.Context) {
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() { c.pools.run(ctx, c.api, poolsPath, c.log, c.poolChanged) })
	wait.Go(func() { c.configs.run(ctx, c.api, machineConfigsPath, c.log, c.configChanged) })
	wait.Go(func() { c.nodes.run(ctx, c.api, nodesPath, c.log, c.nodeChanged) })
	if !c.awaitFilled(ctx) {
		return
	}
	wait.Go(func() { c.renders.run(ctx, c.reporting(c.render)) })
	wait.Go(func() { c.updates.run(ctx, c.reporting(c.update)) })
}

func (c *mcc) awaitFilled(ctx context.Context) bool {
	for _, filled := range []chan struct{}{c.pools.filled, c.configs.filled, c.nodes.filled} {
		select {
		case <-filled:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (c *mcc) poolChanged(_, after *pool) {
	if after != nil {
		c.renders.addAfter(after.name(), renderDelay)
		c.updates.addAfter(after.name(), nodeDelay)
	}
}

func (c *mcc) configChanged(before, after *machineConfig) {
	for _, name := range poolsToRender(before, after, c.pools.all()) {
		c.renders.addAfter(name, renderDelay)
	}
}

func (c *mcc) nodeChanged(before, after *node) {
	if before != nil && after != nil && !changedForPool(*before, *after) {
		return
	}
	for _, n := range []*node{before, after} {
		if n == nil {
			continue
		}
		pools, err := poolsOf(*n, c.pools.all())
		if err != nil {
			c.log.Printf("error finding pools for node: %v", err)
		}
		for _, p := range pools {
			c.updates.addAfter(p.name(), nodeDelay)
		}
	}
}

// reporting logs each error in one line, with the words that the API server's answer carries.
func (c *mcc) reporting(process func(context.Context, pool) error) func(context.Context, string) error {
	return func(ctx context.Context, name string) error {
		p, found := c.pools.get(name)
		if !found {
			return nil
		}
		limited, cancel := context.WithTimeout(ctx, callLimit)
		defer cancel()
		err := process(limited, p)
		if err != nil && ctx.Err() == nil {
			c.log.Printf("Error syncing machineconfigpool %s: %s", name, inOneLine(err))
		}
		return err
	}
}

// render makes the rendered MachineConfig and points the pool to it.
func (c *mcc) render(ctx context.Context, p pool) error {
	if selector := p.Spec.MachineConfigSelector; selector != nil && selector.isEmpty() {
		c.log.Printf("Pool %s: SelectingAll: a non-empty selector of MachineConfigs is required", p.name())
		return nil
	}
	err := c.retarget(ctx, p)
	if err != nil && !hasStatus(err, http.StatusConflict) {
		return errors.Join(err, c.sayRendered(ctx, p, fmt.Errorf("Failed to render configuration for pool %s: %w", p.name(), err)))
	}
	if err != nil {
		return err
	}
	if latest, found := c.pools.get(p.name()); found {
		return c.sayRendered(ctx, latest, nil)
	}
	return nil
}

func (c *mcc) retarget(ctx context.Context, p pool) error {
	rendered, target, err := render(p, c.configs.all())
	if err != nil {
		return err
	}
	if _, exists := c.configs.get(target.Name); !exists {
		err := c.api.call(ctx, http.MethodPost, machineConfigsPath, rendered, nil)
		if err != nil && !hasStatus(err, http.StatusConflict) { // our copy is old
			return err
		}
		c.log.Printf("Generated machineconfig %s from %d configs", target.Name, len(target.Source))
	}
	if equalJSON(p.Spec.Configuration, target) {
		return nil
	}
	if err := c.api.call(ctx, http.MethodPut, poolsPath+"/"+p.name(), p.with("spec", map[string]any{"configuration": target}), nil); err != nil {
		return err
	}
	c.log.Printf("Pool %s: now targeting: %s", p.name(), target.Name)
	return nil
}

// sayRendered sets the pool's condition RenderDegraded.
func (c *mcc) sayRendered(ctx context.Context, p pool, failure error) error {
	message := ""
	if failure != nil {
		message = inOneLine(failure)
	}
	status := p.Status
	status.set("RenderDegraded", failure != nil, "", message, time.Now())
	return c.writeStatus(ctx, p, status)
}

// update tells as many nodes of the pool its configuration as may be told now, then refreshes the pool's status.
func (c *mcc) update(ctx context.Context, p pool) error {
	if p.Spec.Configuration.Name == "" {
		pause(ctx, time.Duration(float64(nodeDelay)*c.pace)) // the render controller comes first
		return nil
	}
	if selector := p.Spec.NodeSelector; selector != nil && selector.isEmpty() {
		c.log.Printf("Pool %s: SelectingAll: a non-empty selector of nodes is required", p.name())
		return nil
	}
	if p.Metadata.DeletionTimestamp != "" || p.Spec.Paused {
		return c.refreshStatus(ctx, p)
	}
	nodes := c.nodesOf(p)
	c.taint(ctx, p, nodes)
	chosen, err := candidates(p, nodes)
	for _, n := range chosen {
		c.log.Printf("Pool %s: Setting node %s target to %s", p.name(), n.name(), p.target())
		if err = c.tell(ctx, n, p.Spec.Configuration.Name); err != nil {
			err = fmt.Errorf("setting desired %s for node %s: %w", p.Spec.Configuration.Name, n.name(), err)
			break
		}
	}
	return errors.Join(err, c.refreshStatus(ctx, p))
}

// nodesOf returns the nodes that follow the pool.
func (c *mcc) nodesOf(p pool) []node {
	var nodes []node
	for _, n := range c.nodes.all() {
		pools, err := poolsOf(n, c.pools.all())
		if err != nil {
			c.log.Printf("can't get pool for node %q: %v", n.name(), err)
		}
		if len(pools) > 0 && pools[0].name() == p.name() {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// tell sets the node's desiredConfig.
func (c *mcc) tell(ctx context.Context, n node, target string) error {
	return c.insist(ctx, func() error {
		var live node
		if err := c.api.call(ctx, http.MethodGet, n.path(), nil, &live); err != nil {
			return err
		}
		if live.desired() == target {
			return nil
		}
		return c.api.call(ctx, http.MethodPatch, n.path(), annotations(map[string]any{desiredConfig: target}), nil)
	})
}

// taint marks the nodes that are not told the pool's configuration yet, and takes the mark from the others. Nothing
// depends on it.
func (c *mcc) taint(ctx context.Context, p pool, nodes []node) {
	for _, n := range nodes {
		taints := []any{}
		marked := false
		for _, taint := range n.Spec.Taints {
			if taint["key"] == inProgressTaint {
				marked = true
			} else {
				taints = append(taints, taint)
			}
		}
		wanted := n.desired() != p.Spec.Configuration.Name
		if marked == wanted {
			continue
		}
		if wanted {
			taints = append(taints, map[string]any{"key": inProgressTaint, "effect": "PreferNoSchedule"})
		}
		err := c.api.call(ctx, http.MethodPatch, n.path(), map[string]any{
			"metadata": map[string]any{"resourceVersion": n.revision()}, // for this list of taints
			"spec":     map[string]any{"taints": taints},
		}, nil)
		if err != nil && !hasStatus(err, http.StatusConflict) {
			c.log.Printf("failed changing taint %s of node %s: %s", inProgressTaint, n.name(), inOneLine(err))
		}
	}
}

func (c *mcc) refreshStatus(ctx context.Context, p pool) error {
	return c.writeStatus(ctx, p, statusOf(p, c.nodesOf(p), time.Now()))
}

// writeStatus sends the cached pool back, so that it fails if the pool is another one by now.
func (c *mcc) writeStatus(ctx context.Context, p pool, status poolStatus) error {
	if equalJSON(p.Status, status) {
		return nil
	}
	err := c.api.call(ctx, http.MethodPut, poolsPath+"/"+p.name()+"/status", p.with("status", status), nil)
	if err != nil {
		return fmt.Errorf("could not update MachineConfigPool %q: %w", p.name(), err)
	}
	if p.Status.Configuration.Name != status.Configuration.Name {
		c.log.Printf("Pool %s: Completed update to %s", p.name(), status.Configuration.Name)
	}
	return nil
}

// insist repeats a change that somebody else got ahead of.
func (c *mcc) insist(ctx context.Context, change func() error) error {
	for tries := 1; ; tries++ {
		err := change()
		if tries == 5 || !hasStatus(err, http.StatusConflict) {
			return err
		}
		pause(ctx, time.Duration(float64(conflictPause)*c.pace))
	}
}

func annotations(values map[string]any) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": values}}
}

func runMachineConfigController(ctx context.Context, args []string) error {
	flags := newFlags("machine-config-controller")
	kubeconfig := flags.String("kubeconfig", "", "")
	daemonKubeconfig := flags.String("daemon-kubeconfig", "", "")
	pace := flags.Float64("pace", 1, "")
	playsController := flags.Bool("controller", true, "")
	playsDaemon := flags.Bool("daemon", true, "")
	untilStdinCloses := flags.Bool("until-stdin-closes", false, "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	if *pace <= 0 {
		return fmt.Errorf("--pace %v: must be above 0; 1 is as in OpenShift", *pace)
	}
	api, err := readKubeconfig(*kubeconfig, "machine-config-controller/testbed")
	if err != nil {
		return err
	}
	if *daemonKubeconfig == "" {
		daemonKubeconfig = kubeconfig
	}
	daemonAPI, err := readKubeconfig(*daemonKubeconfig, "machine-config-daemon/testbed")
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	if *untilStdinCloses {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			end()
		}()
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	controller := newMCC(api, log.New(os.Stderr, "controller: ", log.LstdFlags|log.Lmicroseconds|log.Lmsgprefix), *pace)
	if *playsController {
		wait.Go(func() { controller.run(ctx) })
	}
	if *playsDaemon {
		daemon := newMCD(daemonAPI, log.New(os.Stderr, "daemon: ", log.LstdFlags|log.Lmicroseconds|log.Lmsgprefix), *pace)
		wait.Go(func() { daemon.run(ctx) })
	}
	if !*playsController || controller.awaitFilled(ctx) {
		fmt.Println("READY=true")
	}
	return nil // once the others have
}
