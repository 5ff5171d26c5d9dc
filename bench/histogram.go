package main

import (
	"math/bits"
	"time"
)

// A value is kept with this many bits after its highest one: to better than 1 %.
const precision = 7

// A histogram counts durations, each to better than 1 %. The zero value is empty. Not for concurrent use.
type histogram struct {
	counts [(64 - precision) << precision]uint64
	total  uint64
}

func (h *histogram) record(d time.Duration) {
	h.counts[bucket(uint64(max(d, 0)))]++
	h.total++
}

func (h *histogram) add(other *histogram) {
	for i, count := range other.counts {
		h.counts[i] += count
	}
	h.total += other.total
}

// quantile is the smallest recorded duration that at least the given share of all are not longer than, rounded up
// within the precision; zero for an empty histogram.
func (h *histogram) quantile(share float64) time.Duration {
	wanted := uint64(share*float64(h.total) + 0.999999)
	seen := uint64(0)
	for i, count := range h.counts {
		seen += count
		if count > 0 && seen >= wanted {
			return time.Duration(upperBound(i))
		}
	}
	return 0
}

// bucket numbers all values: the first 2^precision one by one, then 2^precision buckets for each doubling.
func bucket(value uint64) int {
	shift := max(0, bits.Len64(value)-precision-1)
	return shift<<precision + int(value>>shift)
}

// upperBound is the largest value of a bucket.
func upperBound(bucket int) uint64 {
	shift := max(0, bucket>>precision-1)
	return uint64(bucket-shift<<precision+1)<<shift - 1
}
