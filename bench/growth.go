package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Of the tables of `make scale`, the columns that are drawn.
var grown = []string{"CPU s until ready", "peak MiB", "relist: CPU s", "CPU s for 1,000 reviews"}

// drawGrowth draws what a file's tables say beside it.
func drawGrowth(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines, err := growthLines(string(text))
	if err != nil {
		return err
	}
	return draw(filepath.Join(filepath.Dir(path), "growth.svg"), "What grows with Applications and Namespaces",
		"times as many", "times as much", lines)
}

// growthLines reads tables in Markdown whose first column is a size: by what each figure was multiplied, by what the
// size was. Tables with one size only, and others, are passed over.
func growthLines(text string) ([]line, error) {
	proportion := line{name: "in proportion"}
	var lines []line
	for _, table := range tablesIn(text) {
		head, rows := table[0], table[1:]
		for i, column := range head {
			if !slices.Contains(grown, column) {
				continue
			}
			l := line{name: head[0] + ": " + column}
			var first xy
			for _, row := range rows {
				size, err := number(row[0])
				if err != nil {
					continue // the rule under the head, and what grew by how much
				}
				figure, err := number(row[i])
				if err != nil {
					return nil, fmt.Errorf("%s of %s: %w", column, row[0], err)
				}
				if len(l.points) == 0 {
					first = xy{size, figure}
				}
				l.points = append(l.points, xy{size / first.x, figure / first.y})
			}
			if len(l.points) > 1 {
				lines = append(lines, l)
				end := l.points[len(l.points)-1].x
				proportion.points = []xy{{1, 1}, {end, end}}
			}
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("no table with a column of %q", grown)
	}
	return append(lines, proportion), nil
}

// tablesIn returns the cells of each table, row by row.
func tablesIn(text string) [][][]string {
	var tables [][][]string
	within := false
	for textLine := range strings.Lines(text) {
		cells, isRow := strings.CutPrefix(strings.TrimSpace(textLine), "|")
		if isRow && !within {
			tables = append(tables, nil)
		}
		if within = isRow; !isRow {
			continue
		}
		row := strings.Split(strings.TrimSuffix(cells, "|"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		tables[len(tables)-1] = append(tables[len(tables)-1], row)
	}
	return tables
}

func number(cell string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64)
}
