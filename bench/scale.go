package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// largest is the size of a review that the API server just sends: twice an object of 1.5 MiB, which etcd just takes.
const largest = 3_100_000

// A series is how something grows with something else.
type series struct {
	name, of string // "CPU ms per review", "KB of a review"
	points   []growth
}

// A growth is one point of it.
type growth struct {
	size   int
	figure float64
}

// measureScale lets reviews and connections grow, each by doubling, and says how the service follows.
func (b *bench) measureScale(ctx context.Context, all samples) error {
	servers, err := b.startAll(ctx, []contender{b.service("gitops-interlock", boringSSL)}, all)
	defer stopAll(servers)
	if err != nil {
		return err
	}
	s := servers[0]
	fmt.Println("bench: warming up")
	if _, err := loads[saturating].run(ctx, s, all, 2*b.pace.each); err != nil {
		return err
	}
	bySize, err := b.growingReviews(ctx, s, all)
	if err != nil {
		return err
	}
	byConnections, err := b.growingConnections(ctx, s, all)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, each := range append(bySize, byConnections...) {
		text.WriteString(each.table())
	}
	if err := plotGrowth(filepath.Join(b.results(), "scale-reviews.svg"), "Cost of a review by its size", bySize); err != nil {
		return err
	}
	fmt.Fprintf(&text, "%s; %s; median of %d rounds of %v; load average before: %s\n",
		machine(), b.cores, b.pace.rounds, b.pace.each, loadAverage())
	return b.publish("scale.md", text.String())
}

// growingReviews sends one review after the other, up to nearly the 3 MiB that the API server sends at most.
func (b *bench) growingReviews(ctx context.Context, s *server, all samples) ([]series, error) {
	cpu := series{name: "CPU ms per review", of: "KB of a review"}
	latency := series{name: "p50 ms", of: "KB of a review"}
	bare, err := all.mix[denied].bare()
	if err != nil {
		return nil, err
	}
	reviews := []review{bare}
	for size := 12_000; size <= largest; size *= 2 {
		grown, err := all.mix[denied].grown(size)
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, grown)
	}
	for _, r := range reviews {
		size := len(r.body) / 1000
		l := load{fmt.Sprintf("%d KB", size), 1, 0, func(samples) []review { return []review{r} }, false}
		rounds, err := b.roundsOf(ctx, l, s, all)
		if err != nil {
			return nil, err
		}
		cpu.add(size, median(of(rounds, (*measurement).cpuPerThousand)).Seconds())
		latency.add(size, inMilliseconds(median(of(rounds, quantile(0.5)))))
	}
	return []series{cpu, latency}, nil
}

func (b *bench) growingConnections(ctx context.Context, s *server, all samples) ([]series, error) {
	cpu := series{name: "CPU s per 1000 reviews of 9 KB", of: "connections"}
	latency := series{name: "p99 ms", of: "connections"}
	memory := series{name: "resident MiB", of: "connections"}
	for connections := 1; connections <= 64; connections *= 2 {
		l := load{fmt.Sprintf("%d connections", connections), connections, 0, small, false}
		rounds, err := b.roundsOf(ctx, l, s, all)
		if err != nil {
			return nil, err
		}
		mib, err := s.memory("VmRSS")
		if err != nil {
			return nil, err
		}
		cpu.add(connections, median(of(rounds, (*measurement).cpuPerThousand)).Seconds())
		latency.add(connections, inMilliseconds(median(of(rounds, quantile(0.99)))))
		memory.add(connections, float64(mib))
	}
	return []series{cpu, latency, memory}, nil
}

func (b *bench) roundsOf(ctx context.Context, l load, s *server, all samples) ([]*measurement, error) {
	var rounds []*measurement
	for range b.pace.rounds {
		m, err := l.run(ctx, s, all, b.pace.each)
		if err != nil {
			return nil, s.failed(fmt.Errorf("%s: %w", l.name, err))
		}
		rounds = append(rounds, m)
	}
	fmt.Printf("bench: %s: %.0f/s\n", l.name, rounds[0].rate())
	return rounds, nil
}

func (s *series) add(size int, figure float64) { s.points = append(s.points, growth{size, figure}) }

// perDoubling is by what the figure is multiplied where the size doubles: 2 is in proportion, 1 not at all. By the last
// point and the first.
func (s series) perDoubling() float64 {
	first, last := s.points[0], s.points[len(s.points)-1]
	return math.Pow(last.figure/first.figure, 1/math.Log2(float64(last.size)/float64(first.size)))
}

func (s series) table() string {
	head, figures := "| "+s.of+" |", "| "+s.name+" |"
	for _, p := range s.points {
		head += fmt.Sprintf(" %d |", p.size)
		figures += fmt.Sprintf(" %.3g |", p.figure)
	}
	return fmt.Sprintf("%s growth per doubling |\n|---|%s--:|\n%s × %.2f |\n\n",
		head, strings.Repeat("--:|", len(s.points)), figures, s.perDoubling())
}
