package main

import (
	"reflect"
	"testing"
)

func TestGrowthIsRelativeToTheSmallestSize(t *testing.T) {
	lines, err := growthLines(`Applications

| Applications | s until ready | CPU s until ready |
| --: | --: | --: |
| 10 | 9.0 | 2.00 |
| 1,000 | 9.0 | 5.00 |
| growth per doubling | 1.00 | 1.15 |

| Nodes | peak MiB |
| --: | --: |
| 500 | 150 |
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []line{
		{"Applications: CPU s until ready", []xy{{1, 1}, {100, 2.5}}},
		{"in proportion", []xy{{1, 1}, {100, 100}}},
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("%v, not %v", lines, want)
	}
}

func TestTablesWithoutSuchColumnsAreAnError(t *testing.T) {
	if lines, err := growthLines("| Nodes | held |\n| --: | --: |\n| 5 | 1 |\n| 50 | 10 |\n"); err == nil {
		t.Errorf("%v", lines)
	}
}
