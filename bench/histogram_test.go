package main

import (
	"testing"
	"time"
)

func TestEveryValueIsInItsBucket(t *testing.T) {
	for value := uint64(0); value < 1<<40; value += value/1000 + 1 {
		i := bucket(value)
		if value > upperBound(i) || i > 0 && value <= upperBound(i-1) {
			t.Fatalf("%d is in bucket %d, from %d to %d", value, i, upperBound(max(i, 1)-1), upperBound(i))
		}
		if float64(upperBound(i)-value) > 0.01*float64(value) {
			t.Fatalf("%d is rounded up to %d", value, upperBound(i))
		}
	}
}

func TestQuantilesOfAllThatWasAdded(t *testing.T) {
	var low, high histogram
	for i := 1; i <= 500; i++ {
		low.record(time.Duration(i) * time.Millisecond)
		high.record(time.Duration(500+i) * time.Millisecond)
	}
	low.add(&high)
	for share, want := range map[float64]time.Duration{
		0.5:   500 * time.Millisecond,
		0.99:  990 * time.Millisecond,
		0.999: 999 * time.Millisecond,
		1:     time.Second,
	} {
		if got := low.quantile(share); got < want || got > want+want/100 {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
}

func TestEmptyHistogramHasNoQuantiles(t *testing.T) {
	if got := new(histogram).quantile(0.99); got != 0 {
		t.Errorf("%v", got)
	}
}
