package main

import (
	"context"
	"sync"
	"time"
)

const (
	firstRetry = 5 * time.Millisecond
	maxRetries = 15 // the last one comes 82 s after the one before
	lastRetry  = time.Minute
)

// A queue holds keys until they are processed: none before its time, each once at a time, again after an error. It is
// client-go's delaying, rate limited queue with the error handling of the machine-config controller.
type queue struct {
	pace float64 // of everything that waits
	wake chan struct{}

	mutex      sync.Mutex
	waiting    map[string]time.Time
	ready      []string
	dirty      map[string]bool // to be processed
	processing map[string]bool
	failures   map[string]int
}

func newQueue(pace float64) *queue {
	return &queue{
		pace: pace, wake: make(chan struct{}, 1), waiting: map[string]time.Time{},
		dirty: map[string]bool{}, processing: map[string]bool{}, failures: map[string]int{},
	}
}

// addAfter adds the key after a while. A key that already waits keeps the earlier of the two times.
func (q *queue) addAfter(key string, wait time.Duration) {
	at := time.Now().Add(time.Duration(float64(wait) * q.pace))
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if earlier, known := q.waiting[key]; !known || at.Before(earlier) {
		q.waiting[key] = at
		q.look()
	}
}

// look makes the one that waits for a key look again.
func (q *queue) look() {
	select {
	case q.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// run processes keys, any number of different ones at a time, until the context ends.
func (q *queue) run(ctx context.Context, process func(ctx context.Context, key string) error) {
	var wait sync.WaitGroup
	defer wait.Wait()
	for {
		key, ok := q.next(ctx)
		if !ok {
			return
		}
		wait.Go(func() {
			q.done(key, process(ctx, key))
		})
	}
}

// next waits for a key; there is none when the context has ended.
func (q *queue) next(ctx context.Context) (key string, ok bool) {
	for ctx.Err() == nil {
		key, wait := q.take(time.Now())
		if key != "" {
			return key, true
		}
		select {
		case <-ctx.Done():
		case <-q.wake:
		case <-time.After(wait):
		}
	}
	return "", false
}

// take returns a key that is ready, or how long there will be none.
func (q *queue) take(now time.Time) (key string, wait time.Duration) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	wait = time.Hour
	for key, at := range q.waiting {
		if at.After(now) {
			wait = min(wait, at.Sub(now))
			continue
		}
		delete(q.waiting, key)
		if !q.dirty[key] {
			q.dirty[key] = true
			if !q.processing[key] {
				q.ready = append(q.ready, key)
			}
		}
	}
	if len(q.ready) == 0 {
		return "", wait
	}
	key, q.ready = q.ready[0], q.ready[1:]
	delete(q.dirty, key)
	q.processing[key] = true
	return key, 0
}

// done ends the processing of a key. After an error it comes back with growing pauses, and begins anew after the last.
func (q *queue) done(key string, err error) {
	q.mutex.Lock()
	delete(q.processing, key)
	if q.dirty[key] {
		q.ready = append(q.ready, key)
	}
	failures := q.failures[key]
	if err != nil && failures < maxRetries {
		q.failures[key]++
	} else {
		delete(q.failures, key)
	}
	q.mutex.Unlock()
	switch {
	case err == nil:
		q.look()
	case failures < maxRetries:
		q.addAfter(key, firstRetry<<failures)
	default:
		q.addAfter(key, lastRetry)
	}
}
