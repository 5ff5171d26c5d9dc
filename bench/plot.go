package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Colours that people with any kind of colour vision tell apart (Okabe and Ito), one for each line.
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x00, 0x00, 0x00, 0xff},
	{0x99, 0x99, 0x99, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
}

// A line of a plot; nothing of it is 0.
type line struct {
	name   string
	points plotter.XYs
}

// draw puts lines on scales of powers into an SVG file.
func draw(path, x, y string, lines []line) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, l := range lines {
		if len(l.points) == 0 {
			continue
		}
		stroke, dots, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return err
		}
		stroke.Color, dots.Color = colours[i%len(colours)], colours[i%len(colours)]
		stroke.Width = vg.Points(1.5)
		p.Add(stroke, dots)
		p.Legend.Add(l.name, stroke, dots)
	}
	return p.Save(18*vg.Centimeter, 12*vg.Centimeter, path)
}

// plotLatencies draws the p99 of all curves against the rate.
func plotLatencies(path string, curves []curve) error {
	var lines []line
	for _, c := range curves {
		l := line{name: c.name}
		for _, p := range c.points {
			l.points = append(l.points, plotter.XY{X: float64(p.rate), Y: inMilliseconds(p.p99)})
		}
		lines = append(lines, l)
	}
	return draw(path, "reviews/s", "p99, ms", lines)
}

// plotGrowth draws series that grow with the same thing.
func plotGrowth(path string, all []series) error {
	var lines []line
	for _, s := range all {
		l := line{name: s.name}
		for _, p := range s.points {
			l.points = append(l.points, plotter.XY{X: float64(p.size), Y: p.figure})
		}
		lines = append(lines, l)
	}
	return draw(path, all[0].of, "", lines)
}
