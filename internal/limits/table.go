package main

import (
	"fmt"
	"strings"
)

// The table of the page is between these lines.
const begin, end = "<!-- limits:begin -->\n", "<!-- limits:end -->"

const tableHead = "| road | limit, same run | required | reached | met |\n|---|---|---|---|---|\n"

// row is a line of the table.
type row struct {
	key, road, required string
	commands            []command
	show                func(m metrics) (limit, reached string, met bool) // nil for a row that is written by hand
}

// line returns the row's line: with new figures, or else the old one.
func (r row) line(m metrics, old string) string {
	if m == nil {
		if old != "" {
			return old
		}
		return fmt.Sprintf("| %s | | %s | not measured | |", r.road, r.required)
	}
	limit, reached, met := r.show(m)
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.road, limit, r.required, reached, map[bool]string{true: "yes", false: "no"}[met])
}

// linesOf returns the lines of a page's table by their road.
func linesOf(page string) (map[string]string, error) {
	_, rest, ok := strings.Cut(page, begin)
	table, _, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return nil, fmt.Errorf("the page lacks %q or %q", strings.TrimSpace(begin), end)
	}
	lines := map[string]string{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| ") && len(cells) > 1 {
			lines[strings.TrimPrefix(cells[0], "| ")] = strings.TrimSpace(line)
		}
	}
	return lines, nil
}

// aboutOf returns what a page says above its table: one line for a run of all rows, and one for each later run of some.
func aboutOf(page string) string {
	_, rest, _ := strings.Cut(page, begin)
	table, _, _ := strings.Cut(rest, end)
	about, _, found := strings.Cut(table, tableHead)
	if !found {
		return ""
	}
	_, about, _ = strings.Cut(about, "-->\n")
	return strings.TrimSpace(about)
}

// withTable returns a page with another table.
func withTable(page, table string) (string, error) {
	if _, err := linesOf(page); err != nil {
		return "", err
	}
	before, rest, _ := strings.Cut(page, begin)
	_, after, _ := strings.Cut(rest, end)
	return before + begin + table + end + after, nil
}
