package main

import (
	"testing"
	"time"
)

func TestQuantilesAreExactToOnePercent(t *testing.T) {
	m := &measurement{latencies: newLatencies()}
	for i := 1; i <= 1000; i++ {
		if err := m.latencies.RecordValue(int64(time.Duration(i) * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
	}
	for share, want := range map[float64]time.Duration{
		0.5:   500 * time.Millisecond,
		0.99:  990 * time.Millisecond,
		0.999: 999 * time.Millisecond,
	} {
		if got := m.quantile(share); got < want-want/100 || got > want+want/100 {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
}

func TestAnAnswerLaterThanTheLongestLatencyIsNotLost(t *testing.T) {
	if err := newLatencies().RecordValue(int64(2 * longestLatency)); err == nil {
		t.Error("was counted as something else")
	}
}
