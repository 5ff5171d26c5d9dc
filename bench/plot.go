package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A line of a plot; nothing of it is 0.
type line struct {
	name   string
	points []xy
}

type xy struct{ x, y float64 }

// The lines have colours that people with any kind of colour vision tell apart (Okabe and Ito), lighter ones on a dark page.
const plotHead = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 930 440" role="img" aria-labelledby="t" font-family="system-ui, sans-serif" font-size="14">
  <style>
    text { fill: #1f2328 } .quiet { fill: #57606a } .grid { stroke: #d0d7de } polyline { fill: none; stroke: currentColor; stroke-width: 2.5 } circle { fill: currentColor }
    .c0 { color: #0072b2 } .c1 { color: #d55e00 } .c2 { color: #56b4e9 } .c3 { color: #000000 } .c4 { color: #8c8c8c } .c5 { color: #009e73 } .c6 { color: #cc79a7 } .c7 { color: #e69f00 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
      .c0 { color: #3f9fe0 } .c1 { color: #f2803a } .c2 { color: #a3dcff } .c3 { color: #ffffff } .c5 { color: #2fc99a } .c6 { color: #e79cc6 } .c7 { color: #f5c04a }
    }
  </style>
`

// Where in the picture the lines are; their names are to the right of it.
const left, right, top, bottom = 60, 590, 70, 385

// draw puts lines on scales of powers into an SVG file.
func draw(path, title, x, y string, lines []line) error {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return len(l.points) == 0 })
	var xs, ys []float64
	for _, l := range lines {
		for _, p := range l.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
		}
	}
	across, up := axisOf(left, right, xs), axisOf(bottom, top, ys)
	var text strings.Builder
	say := func(format string, values ...any) { fmt.Fprintf(&text, "  "+format+"\n", values...) }
	text.WriteString(plotHead)
	say(`<title id="t">%s</title>`, html.EscapeString(title))
	say(`<text x="10" y="24" font-size="17" font-weight="600">%s</text>`, html.EscapeString(title))
	say(`<text class="quiet" x="10" y="50">%s</text>`, html.EscapeString(y))
	say(`<text class="quiet" x="%d" y="430" text-anchor="middle">%s</text>`, (left+right)/2, html.EscapeString(x))
	for _, tick := range across.ticks() {
		say(`<path class="grid" d="M%.1f %dV%d"/>`, across.at(tick), top, bottom)
		say(`<text class="quiet" x="%.1f" y="%d" text-anchor="middle">%s</text>`, across.at(tick), bottom+20, figure(tick))
	}
	for _, tick := range up.ticks() {
		say(`<path class="grid" d="M%d %.1fH%d"/>`, left, up.at(tick), right)
		say(`<text class="quiet" x="%d" y="%.1f" text-anchor="end">%s</text>`, left-8, up.at(tick)+5, figure(tick))
	}
	for i, l := range lines {
		say(`<g class="c%d">`, i%8)
		var way strings.Builder
		for _, p := range l.points {
			fmt.Fprintf(&way, "%.1f,%.1f ", across.at(p.x), up.at(p.y))
			say(`  <circle cx="%.1f" cy="%.1f" r="4"/>`, across.at(p.x), up.at(p.y))
		}
		say(`  <polyline points="%s"/>`, strings.TrimSpace(way.String()))
		height := top + 10 + 26*i
		say(`  <polyline points="%d,%d %d,%d"/>`, right+20, height, right+44, height)
		say(`  <text x="%d" y="%d">%s</text>`, right+52, height+5, html.EscapeString(l.name))
		say(`</g>`)
	}
	text.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// An axis is a scale of powers on a stretch of the picture, with some room at its ends.
type axis struct{ from, to, low, high float64 }

func axisOf(from, to float64, values []float64) axis {
	low, high := slices.Min(values), slices.Max(values)
	room := math.Max(math.Pow(high/low, 0.03), 1.05)
	return axis{from, to, low / room, high * room}
}

func (a axis) at(value float64) float64 {
	return a.from + (a.to-a.from)*math.Log(value/a.low)/math.Log(a.high/a.low)
}

// ticks are 1, 2 and 5 times each power of ten, as far as the axis has them.
func (a axis) ticks() []float64 {
	var ticks []float64
	for power := math.Floor(math.Log10(a.low)); power <= math.Log10(a.high); power++ {
		for _, times := range []float64{1, 2, 5} {
			if tick := times * math.Pow(10, power); a.low <= tick && tick <= a.high {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

func figure(value float64) string { return strconv.FormatFloat(value, 'g', 6, 64) }

// plotLatencies draws the p99 of all curves against the rate.
func plotLatencies(path string, curves []curve) error {
	var lines []line
	for _, c := range curves {
		l := line{name: c.name}
		for _, p := range c.points {
			l.points = append(l.points, xy{float64(p.rate), inMilliseconds(p.p99)})
		}
		lines = append(lines, l)
	}
	return draw(path, "Latency of reviews of 9 KB by their rate", "reviews a second", "p99, ms", lines)
}

// plotGrowth draws series that grow with the same thing.
func plotGrowth(path, title string, all []series) error {
	var lines []line
	for _, s := range all {
		l := line{name: s.name}
		for _, p := range s.points {
			l.points = append(l.points, xy{float64(p.size), p.figure})
		}
		lines = append(lines, l)
	}
	return draw(path, title, all[0].of, "ms", lines)
}
