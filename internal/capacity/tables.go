package capacity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// loads are the recordings per day of the table of needs.
func loads() []float64 { return []float64{1e4, 1e6, 1e8} }

// Tables returns the model as Markdown, for docs/scale.md.
func Tables(inputs []Input) string {
	m := New(inputs)
	var b strings.Builder
	m.writeNeeds(&b)
	b.WriteString("\nOne PostgreSQL server is full at:\n\n| what is full | recordings per day | what then moves out or is divided |\n|---|---|---|\n")
	for _, c := range m.Ceilings() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.What, count(c.PerDay), c.Then)
	}
	fmt.Fprintf(&b, "\nThe index that hurts first is that of `postings`. The terms of a recording are spread over the whole index, so each posting touches a page of its"+
		"\nown. Up to %s recordings per day, the index of a year fits into half of the memory.\n", count(m.SearchInMemory()))
	b.WriteString("\nA table is partitioned from 200 million rows on, when its vacuum takes hours:\n\n")
	b.WriteString("| table | rows per recording | kept for | from recordings per day | by |\n|---|---|---|---|---|\n")
	for _, g := range m.Growths() {
		fmt.Fprintf(&b, "| `%s` | %s | %.0f days | %s | %s |\n", g.Table, count(g.Rows), g.Days, count(g.PartitionFrom()), g.By)
	}
	b.WriteString("\nThe inputs, per recording of 30 minutes:\n\n| input | value | source | measured by, or because |\n|---|---|---|---|\n")
	for _, i := range inputs {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", i.Name, quantity(i.Value, i.Unit), i.Source, i.Command)
	}
	return b.String()
}

func (m Model) writeNeeds(b *strings.Builder) {
	needs := []Need{}
	b.WriteString("| recordings per day |")
	for _, perDay := range loads() {
		needs = append(needs, m.Need(perDay))
		fmt.Fprintf(b, " %s |", count(perDay))
	}
	b.WriteString("\n|---|---|---|---|\n")
	for _, row := range []struct {
		name string
		cell func(Need) string
	}{
		{"API nodes", func(n Need) string { return count(n.APINodes) }},
		{"workers, without the speech model", func(n Need) string { return count(n.WorkerNodes) }},
		{"workers for renders", func(n Need) string { return count(n.RenderNodes) }},
		{"cores of PostgreSQL, at the peak", func(n Need) string { return count(n.DBCores) }},
		{"commits, at the peak", func(n Need) string { return count(n.Commits) + "/s" }},
		{"of these, with events", func(n Need) string { return count(n.EventWrites) + "/s" }},
		{"PostgreSQL servers, if nothing moves out", func(n Need) string { return count(n.Databases) }},
		{"rows and indexes: growth per day", func(n Need) string { return size(n.RowsPerDay) }},
		{"rows and indexes: after a year", func(n Need) string { return size(n.Rows) }},
		{"WAL per day", func(n Need) string { return size(n.WALPerDay) }},
		{"S3 requests, at the peak", func(n Need) string { return count(n.S3PerSecond) + "/s" }},
		{"media after a year", func(n Need) string { return size(n.MediaKept) }},
	} {
		fmt.Fprintf(b, "| %s |", row.name)
		for _, n := range needs {
			fmt.Fprintf(b, " %s |", row.cell(n))
		}
		b.WriteByte('\n')
	}
}

// quantity returns a value with its unit: "52 µs".
func quantity(v float64, unit string) string {
	switch {
	case unit == "bytes":
		return size(v)
	case unit == "s" && v < 1e-3:
		return fmt.Sprintf("%.3g µs", v*1e6)
	case unit == "s" && v < 1:
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return strings.TrimSpace(count(v) + " " + unit)
}

// size returns a number of bytes with two digits: "2.1 GB".
func size(bytes float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB", "TB", "PB"} {
		if bytes < 999.5 {
			return rounded(bytes) + " " + unit
		}
		bytes /= 1000
	}
	return rounded(bytes) + " EB"
}

// count returns a number with two significant digits and commas: "12,000".
func count(n float64) string {
	text := rounded(n)
	for i := len(text) - 3; i > 0 && n >= 1000; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// rounded returns two significant digits, or an integer below 1000 in full.
func rounded(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n == math.Trunc(n) && n < 1000:
		return fmt.Sprintf("%.0f", n)
	}
	step := math.Pow(10, math.Floor(math.Log10(n))-1)
	n = math.Round(n/step) * step
	text := strconv.FormatFloat(n, 'f', max(0, int(math.Round(-math.Log10(step)))), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
