package main

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A load is one way to send reviews.
type load struct {
	name        string
	connections int
	rate        int // per second, whatever the answers do; 0: the next one when the last one is answered
	reviews     func(samples) []review
	otherKinds  bool // whether it is for those only that are asked about other kinds than Job
}

// samples are the reviews that loads choose from.
type samples struct {
	mix                 []review
	hundredKB, megabyte review
	kinds               map[string]review // edits of other kinds than Job, by the kind
}

const longestLatency = 10 * time.Minute

// newLatencies counts durations, each to better than 1 %. Not for concurrent use.
func newLatencies() *hdrhistogram.Histogram {
	return hdrhistogram.New(int64(time.Microsecond), int64(longestLatency), 2)
}

// quantile is the duration that the given share of all answers did not take longer than.
func (m *measurement) quantile(share float64) time.Duration {
	return time.Duration(m.latencies.ValueAtQuantile(100 * share))
}

// A measurement is what one load did to one server.
type measurement struct {
	latencies    *hdrhistogram.Histogram
	elapsed      time.Duration
	serverCPU    time.Duration
	generatorCPU time.Duration
}

func (m *measurement) rate() float64 { return float64(m.latencies.TotalCount()) / m.elapsed.Seconds() }

// cpuPerThousand is the server's CPU time for 1000 reviews.
func (m *measurement) cpuPerThousand() time.Duration {
	return time.Duration(1000 * float64(m.serverCPU) / float64(m.latencies.TotalCount()))
}

// The shares of its core that each side was busy.
func (m *measurement) serverShare() float64    { return m.serverCPU.Seconds() / m.elapsed.Seconds() }
func (m *measurement) generatorShare() float64 { return m.generatorCPU.Seconds() / m.elapsed.Seconds() }

// A worker sends one review at a time.
type worker struct {
	client    *client
	questions []*question
	next      int
	buffer    []byte
	latencies *hdrhistogram.Histogram
}

func (w *worker) ask(ctx context.Context) error {
	q := w.questions[w.next%len(w.questions)]
	w.next++
	return q.ask(ctx, w.client, w.buffer)
}

// run sends the load to the server for the time given. All connections are open before the clock starts. Any wrong
// answer, and any connection lost, is an error.
func (l load) run(ctx context.Context, s *server, all samples, duration time.Duration) (*measurement, error) {
	client := newClient(s.authority, l.connections)
	defer client.close()
	workers, err := l.workers(ctx, client, s, l.reviews(all))
	if err != nil {
		return nil, err
	}
	serverBefore, err := s.cpu()
	if err != nil {
		return nil, err
	}
	generatorBefore, begin := ownCPU(), time.Now()
	if l.rate > 0 {
		err = openLoop(ctx, workers, l.rate, duration)
	} else {
		err = closedLoop(ctx, workers, duration)
	}
	if err != nil {
		return nil, err
	}
	elapsed, generatorAfter := time.Since(begin), ownCPU()
	serverAfter, err := s.cpu()
	if err != nil {
		return nil, err
	}
	if dials := client.dials.Load(); dials > int64(l.connections) {
		return nil, fmt.Errorf("the server did not keep its connections: %d instead of %d", dials, l.connections)
	}
	m := &measurement{latencies: newLatencies(), elapsed: elapsed, serverCPU: serverAfter - serverBefore, generatorCPU: generatorAfter - generatorBefore}
	for _, w := range workers {
		if lost := m.latencies.Merge(w.latencies); lost > 0 {
			return nil, fmt.Errorf("%d answers took longer than %v", lost, longestLatency)
		}
	}
	return m, nil
}

// workers makes one per connection, each beginning with another review, and opens their connections.
func (l load) workers(ctx context.Context, c *client, s *server, reviews []review) ([]*worker, error) {
	var questions []*question
	for _, r := range reviews {
		q, err := newQuestion(ctx, c, s, r)
		if err != nil {
			return nil, err
		}
		questions = append(questions, q)
	}
	workers := make([]*worker, l.connections)
	for i := range workers {
		workers[i] = &worker{client: c, next: i, buffer: make([]byte, 0, 64*1024), latencies: newLatencies()}
		for _, q := range questions {
			workers[i].questions = append(workers[i].questions, q.again())
		}
	}
	return workers, together(workers, func(w *worker) error { return w.ask(ctx) })
}

// closedLoop lets each worker send its next review as soon as the last one is answered.
func closedLoop(ctx context.Context, workers []*worker, duration time.Duration) error {
	end := time.Now().Add(duration)
	return together(workers, func(w *worker) error {
		for begin := time.Now(); begin.Before(end); {
			if err := w.ask(ctx); err != nil {
				return err
			}
			now := time.Now()
			if err := w.latencies.RecordValue(int64(now.Sub(begin))); err != nil {
				return err
			}
			begin = now
		}
		return nil
	})
}

// openLoop sends at a fixed rate. A latency counts from the moment at which the review should have been sent, so that
// a slow answer cannot hide the ones that wait behind it.
func openLoop(ctx context.Context, workers []*worker, rate int, duration time.Duration) error {
	period := time.Second / time.Duration(rate)
	total := int(duration / period)
	due := make(chan time.Time, total)
	timer, err := newTicker(period)
	if err != nil {
		return err
	}
	begin := time.Now()
	ticking := make(chan error, 1)
	go func() {
		defer close(due)
		defer timer.close()
		for sent := 0; sent < total; {
			passed, err := timer.wait()
			if err != nil {
				ticking <- err
				return
			}
			for ; passed > 0 && sent < total; passed-- {
				sent++
				due <- begin.Add(time.Duration(sent) * period)
			}
		}
		ticking <- nil
	}()
	err = together(workers, func(w *worker) error {
		for intended := range due {
			if err := w.ask(ctx); err != nil {
				return err
			}
			if err := w.latencies.RecordValue(int64(max(time.Since(intended), 0))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return <-ticking
}

// together does something for all workers at once and returns one of the errors.
func together(workers []*worker, do func(*worker) error) error {
	errs := make(chan error, len(workers))
	var group sync.WaitGroup
	for _, w := range workers {
		group.Go(func() {
			if err := do(w); err != nil {
				errs <- err
			}
		})
	}
	group.Wait()
	close(errs)
	return <-errs
}

// ownCPU is the CPU time that this process has used.
func ownCPU() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // fails for a wrong argument only
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
