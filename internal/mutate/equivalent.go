package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed equivalent.txt
var equivalentList string

// equivalents are mutants that no test can kill, because they behave like the original.
type equivalents map[[3]string]bool

// readEquivalents reads lines of four fields between tabs: file, text of the line, change, and reason. Empty lines and those that begin
// with # are ignored.
func readEquivalents(text string) (equivalents, error) {
	all := equivalents{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || strings.TrimSpace(fields[3]) == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: write file, line, change, and reason, with tabs between them", i+1)
		}
		all[[3]string(fields)] = true
	}
	return all, nil
}

func (e equivalents) has(folder string, m *mutant) bool {
	return e[[3]string{folder + "/" + m.file, m.text, m.what}]
}
