package formats

import (
	"cmp"
	"fmt"
	"slices"
)

// Problem is something in a file that a reader skipped, changed, or guessed. The rest of the file was read.
type Problem struct {
	Line    int    `json:"line"`             // from 1, in EBU STL the block; 0 if it concerns the whole file
	Column  int    `json:"column,omitempty"` // in bytes from 1; 0 if it concerns the whole line
	Message string `json:"message"`
}

// String returns the problem with its position.
func (p Problem) String() string {
	switch {
	case p.Line == 0:
		return p.Message
	case p.Column == 0:
		return fmt.Sprintf("line %d: %s", p.Line, p.Message)
	}
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
}

// maxProblems limits the reports of one file. The last one says how many more there are.
const maxProblems = 1000

// problems collects the problems of one file.
type problems struct {
	found []Problem
	more  int
}

func (p *problems) add(line int, format string, args ...any) { p.addAt(line, 0, format, args...) }

func (p *problems) addAt(line, column int, format string, args ...any) {
	if len(p.found) == maxProblems {
		p.more++
		return
	}
	p.found = append(p.found, Problem{line, column, fmt.Sprintf(format, args...)})
}

// list returns the problems in the order of their lines.
func (p *problems) list() []Problem {
	slices.SortStableFunc(p.found, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	if p.more == 0 {
		return p.found
	}
	return append(p.found[:len(p.found):len(p.found)], Problem{Message: fmt.Sprintf("there are %d more problems.", p.more)})
}

// first returns the first problem with a line, or else the first one.
func (p *problems) first() Problem {
	all := p.list()
	for _, q := range all {
		if q.Line > 0 {
			return q
		}
	}
	return all[0]
}
