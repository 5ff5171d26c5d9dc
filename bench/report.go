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

	service, kinds = 0, 2 // sides that the aims speak of: the last is the service where it is asked about all kinds
)

// Results are kept by side.
type results struct {
	cores       cores
	pace        pace
	load        string // of the machine, before
	cipherSuite string
	names       []string
	firsts      [][]time.Duration // none where it was not timed
	firstCPUs   [][]time.Duration
	rounds      [][][]*measurement // by load
	idle        []int              // MiB, as the two below
	loaded      []int
	peak        []int
}

func newResults(b *bench, contenders []contender) *results {
	r := &results{
		cores:     b.cores,
		pace:      b.pace,
		load:      loadAverage(),
		firsts:    make([][]time.Duration, len(contenders)),
		firstCPUs: make([][]time.Duration, len(contenders)),
		rounds:    make([][][]*measurement, len(loads)),
		idle:      make([]int, len(contenders)),
		loaded:    make([]int, len(contenders)),
		peak:      make([]int, len(contenders)),
	}
	for _, c := range contenders {
		r.names = append(r.names, c.name)
	}
	for i := range r.rounds {
		r.rounds[i] = make([][]*measurement, len(contenders))
	}
	return r
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

func (r *results) remember(into []int, servers []*server, line string) error {
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

// aims is a table of what we want of ourselves.
func (r *results) aims() string {
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
	fmt.Fprintf(&text, "| Jobs for the same CPU time where all kinds are on, as a share of Jobs alone | at least %.0f %% | %.0f %% | %s |\n\n",
		100*wantedOfJobs, 100*ofJobs, met(ofJobs >= wantedOfJobs))
	return text.String()
}

// tables has all that was measured.
func (r *results) tables() string {
	var text strings.Builder
	fmt.Fprintf(&text, "| load | server | reviews/s | p50 ms | p99 ms | p99.9 ms | CPU s per 1000 | server CPU | generator CPU |\n")
	fmt.Fprintf(&text, "|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, l := range loads {
		for side, rounds := range r.rounds[i] {
			if len(rounds) == 0 {
				continue
			}
			fmt.Fprintf(&text, "| %s | %s | %.0f | %s | %s | %s | %.3f | %.0f %% | %.0f %% |\n",
				l.name, r.names[side], median(of(rounds, (*measurement).rate)),
				milliseconds(median(of(rounds, quantile(0.5)))), milliseconds(median(of(rounds, quantile(0.99)))),
				milliseconds(median(of(rounds, quantile(0.999)))),
				median(of(rounds, (*measurement).cpuPerThousand)).Seconds(),
				100*median(of(rounds, (*measurement).serverShare)), 100*median(of(rounds, (*measurement).generatorShare)))
		}
	}

	fmt.Fprintf(&text, "\n| server | start to first right answer | CPU until then | resident when idle | after the load | the most ever |\n")
	fmt.Fprintf(&text, "|---|--:|--:|--:|--:|--:|\n")
	for side, name := range r.names {
		first, used := "", ""
		if len(r.firsts[side]) > 0 {
			first = fmt.Sprintf("%.2f s", median(r.firsts[side]).Seconds())
			used = fmt.Sprintf("%.2f s", median(r.firstCPUs[side]).Seconds())
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %d MiB | %d MiB | %d MiB |\n",
			name, first, used, r.idle[side], r.loaded[side], r.peak[side])
	}

	fmt.Fprintf(&text, "\n%s; %s; %s; %d rounds of %v a load and server, %d starts, medians of them; load average before: %s\n",
		machine(), r.cores, r.cipherSuite, r.pace.rounds, r.pace.each, r.pace.starts, r.load)
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
	return fmt.Sprintf("%.2f", inMilliseconds(d))
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

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
