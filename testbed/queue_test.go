package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestKeyThatWaitsKeepsItsEarlierTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, begin := newQueue(1), time.Now()
		q.addAfter("worker", 5*time.Second)
		time.Sleep(4 * time.Second)
		q.addAfter("worker", 5*time.Second)
		q.addAfter("master", 500*time.Millisecond)
		for _, want := range []struct {
			key   string
			after time.Duration
		}{{"master", 4500 * time.Millisecond}, {"worker", 5 * time.Second}} {
			if key, _ := q.next(t.Context()); key != want.key || time.Since(begin) != want.after {
				t.Errorf("%s after %v, want %s after %v", key, time.Since(begin), want.key, want.after)
			}
		}
		nothing, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if key, ok := q.next(nothing); ok {
			t.Errorf("%s comes twice", key)
		}
	})
}

func TestKeyThatIsAddedWhileItIsProcessedComesAgainAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		q.addAfter("worker", 0)
		q.next(t.Context())
		q.addAfter("worker", 0)
		nothing, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, ok := q.next(nothing); ok {
			t.Error("it is processed twice at a time")
		}
		q.done("worker", nil)
		if key, _ := q.next(t.Context()); key != "worker" {
			t.Errorf("%q comes", key)
		}
	})
}

func TestPausesAfterErrorsDoubleUpTo82SecondsThenTakeAMinuteAndBeginAnew(t *testing.T) {
	for _, pace := range []float64{1, 0.5} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue(pace)
			q.addAfter("worker", 0)
			q.next(t.Context())
			fail := func() time.Duration {
				begin := time.Now()
				q.done("worker", errors.New("refused"))
				q.next(t.Context())
				return time.Duration(float64(time.Since(begin)) / pace)
			}
			for want := 5 * time.Millisecond; want < 83*time.Second; want *= 2 {
				if got := fail(); got != want {
					t.Errorf("%v, want %v", got, want)
				}
			}
			if got := fail(); got != time.Minute {
				t.Errorf("%v, want a minute", got)
			}
			if got := fail(); got != 5*time.Millisecond {
				t.Errorf("%v, want 5ms", got)
			}
			fail()
			q.done("worker", nil)
			q.addAfter("worker", 0)
			q.next(t.Context())
			if got := fail(); got != 5*time.Millisecond {
				t.Errorf("%v after a success, want 5ms", got)
			}
		})
	}
}
