package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	wantedP99   = 5 * time.Millisecond
	wantedFirst = 1500 * time.Millisecond

	wantedOfJobs = 0.95

	service, noOp, kinds = 0, 1, 2 // sides: the last is the service where it is asked about all kinds
	sides                = 3
)

// Results are kept by side.
type results struct {
	cores       cores
	each        time.Duration
	load        string // of the machine, before
	cipherSuite string
	names       [sides]string
	firsts      [sides][]time.Duration
	rounds      [][sides][]*measurement // by load
	idle        [sides]int              // MiB, as the two below
	loaded      [sides]int
	peak        [sides]int
}

func newResults(cores cores, each time.Duration, contenders []contender) *results {
	return &results{
		cores:  cores,
		each:   each,
		load:   loadAverage(),
		names:  [sides]string{contenders[service].name, contenders[noOp].name, contenders[kinds].name},
		rounds: make([][sides][]*measurement, len(loads)),
	}
}

func (r *results) add(load, side int, m *measurement) {
	r.rounds[load][side] = append(r.rounds[load][side], m)
}

// of is a figure of every round.
func of[T any](rounds []*measurement, figure func(*measurement) T) []T {
	var figures []T
	for _, m := range rounds {
		figures = append(figures, figure(m))
	}
	return figures
}

func quantile(share float64) func(*measurement) time.Duration {
	return func(m *measurement) time.Duration { return m.quantile(share) }
}

func (r *results) remember(into *[sides]int, servers []*server, line string) error {
	for side, s := range servers {
		mib, err := s.memory(line)
		if err != nil {
			return err
		}
		into[side] = mib
	}
	return nil
}

// shareOfCPU is how often the one side could answer for the CPU time of one answer of the other.
func (r *results) shareOfCPU(load, side, other int) float64 {
	return float64(median(of(r.rounds[load][other], (*measurement).cpuPerThousand))) /
		float64(median(of(r.rounds[load][side], (*measurement).cpuPerThousand)))
}

func (r *results) markdown() string {
	var text strings.Builder
	ofJobs := r.shareOfCPU(saturating, kinds, service)
	p99s := of(r.rounds[openLoad][service], quantile(0.99))
	p99 := median(p99s)
	first := median(r.firsts[service])
	fmt.Fprintf(&text, "| aim | wanted | measured | met |\n|---|---|---|---|\n")
	fmt.Fprintf(&text, "| p99 at %d reviews/s | below %s ms | %s ms (worst round %s ms) | %s |\n",
		fixedRate, milliseconds(wantedP99), milliseconds(p99), milliseconds(slices.Max(p99s)), met(p99 < wantedP99))
	fmt.Fprintf(&text, "| process start to first right answer | below %.2f s | %.2f s | %s |\n",
		wantedFirst.Seconds(), first.Seconds(), met(first < wantedFirst))
	fmt.Fprintf(&text, "| Jobs for the same CPU time where all kinds are on, as a share of Jobs alone | at least %.0f %% | %.0f %% | %s |\n",
		100*wantedOfJobs, 100*ofJobs, met(ofJobs >= wantedOfJobs))

	fmt.Fprintf(&text, "\n| load | server | reviews/s | p50 ms | p99 ms | p99.9 ms | CPU s per 1000 | server CPU | generator CPU |\n")
	fmt.Fprintf(&text, "|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, l := range loads {
		for _, side := range l.sides {
			name, rounds := r.names[side], r.rounds[i][side]
			fmt.Fprintf(&text, "| %s | %s | %.0f | %s | %s | %s | %.3f | %.0f %% | %.0f %% |\n",
				l.name, name, median(of(rounds, (*measurement).rate)),
				milliseconds(median(of(rounds, quantile(0.5)))), milliseconds(median(of(rounds, quantile(0.99)))),
				milliseconds(median(of(rounds, quantile(0.999)))),
				median(of(rounds, (*measurement).cpuPerThousand)).Seconds(),
				100*median(of(rounds, (*measurement).serverShare)), 100*median(of(rounds, (*measurement).generatorShare)))
		}
	}

	fmt.Fprintf(&text, "\n| | %s | %s | %s |\n|---|--:|--:|--:|\n", r.names[service], r.names[noOp], r.names[kinds])
	fmt.Fprintf(&text, "| process start to first right answer, median of %d | %.2f s | %.2f s | |\n",
		starts, first.Seconds(), median(r.firsts[noOp]).Seconds())
	for _, row := range []struct {
		name string
		mib  [sides]int
	}{{"resident memory when idle", r.idle}, {"resident memory after the load", r.loaded}, {"the most ever", r.peak}} {
		fmt.Fprintf(&text, "| %s | %d MiB | %d MiB | %d MiB |\n", row.name, row.mib[service], row.mib[noOp], row.mib[kinds])
	}

	fmt.Fprintf(&text, "\n%s; %s; %s; %d rounds of %v a load and server; load average before: %s\n",
		machine(), r.cores, r.cipherSuite, rounds, r.each, r.load)
	return text.String()
}

func met(yes bool) string {
	if yes {
		return "yes"
	}
	return "**no**"
}

// median of an odd number of values.
func median[T float64 | time.Duration](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond))
}

// machine tells the kind of machine and nothing that is peculiar to this one.
func machine() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	model := runtime.GOARCH
	if _, after, found := strings.Cut(string(text), "model name\t: "); found {
		model, _, _ = strings.Cut(after, "\n")
	}
	return fmt.Sprintf("%d processors, %s", strings.Count(string(text), "processor\t:"), model)
}

// loadAverage of the last minute; the runs of others show there.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
