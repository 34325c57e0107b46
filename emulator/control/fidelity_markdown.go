package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
)

// Markdown returns the report as Markdown tables: counts by provenance, then by section in a collapsed block.
func (f Fidelity) Markdown() string {
	var b strings.Builder
	b.WriteString("| statements | in all | decided by `soundstage conformance` | by a Go test | undecidable, with the reason |\n|---|---|---|---|---|\n")
	for _, p := range conformance.Provenances() {
		fmt.Fprintf(&b, "| %s | %s |\n", p, f.counts(func(st CheckedStatement) bool { return st.Provenance == p }))
	}
	fmt.Fprintf(&b, "\nThe contract marks %d operations, parameters, fields and statuses as assumed.\n", len(f.Assumed))
	b.WriteString("\n<details><summary>By section</summary>\n\n| section | in all | conformance | Go test | undecidable |\n|---|---|---|---|---|\n")
	var sections []string
	for _, st := range f.Statements {
		if !slices.Contains(sections, st.Section) {
			sections = append(sections, st.Section)
		}
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "| %s | %s |\n", s, f.counts(func(st CheckedStatement) bool { return st.Section == s }))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// counts returns the cells of a row: the number of statements, then the number checked in each way.
func (f Fidelity) counts(of func(CheckedStatement) bool) string {
	all, ways := 0, map[string]int{}
	for _, st := range f.Statements {
		if of(st) {
			all++
			ways[st.Checked]++
		}
	}
	return fmt.Sprintf("%d | %d | %d | %d", all, ways["check"], ways["test"], ways["none"])
}
