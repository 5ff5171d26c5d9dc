package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestAnAxisHasRoomAndRoundTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		ticks  []float64
	}{
		{[]float64{0.9, 12}, []float64{1, 2, 5, 10}},
		{[]float64{1, 1000}, []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}},
		{[]float64{5}, []float64{5}},
	} {
		a := axisOf(left, right, c.values)
		if ticks := a.ticks(); !reflect.DeepEqual(ticks, c.ticks) {
			t.Errorf("%v: ticks %v, not %v", c.values, ticks, c.ticks)
		}
		for _, value := range c.values {
			if at := a.at(value); at <= left || right <= at {
				t.Errorf("%v: %v is at %v", c.values, value, at)
			}
		}
	}
}

func TestAPlotLeavesOutWhatHasNoPointsAndEscapesNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plot.svg")
	if err := draw(path, "A title", "x", "y", []line{{"none", nil}, {"a < b", []xy{{1, 1}, {10, 2}}}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if drawn := string(text); !strings.Contains(drawn, `class="c0"`) || !strings.Contains(drawn, ">a &lt; b<") ||
		!strings.Contains(drawn, ">A title</text>") || strings.Contains(drawn, "none<") {
		t.Error(drawn)
	}
}
