package formats

import (
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pageSize is the size of pages in points (1/72 in).
type pageSize struct{ width, height float64 }

var pageSizes = map[Paper]pageSize{
	PaperA4:     {595.28, 841.89},
	PaperLetter: {612, 792},
}

// pageSize returns the size of pages. It returns CodeInvalid if there is no such paper.
func (o Options) pageSize(l transcript.Language) (pageSize, error) {
	paper := o.Paper
	if paper == "" {
		paper = PaperA4
		if l == "en" {
			paper = PaperLetter
		}
	}
	size, ok := pageSizes[paper]
	if !ok {
		return pageSize{}, fault.Errorf(fault.CodeInvalid, "Paper", "Unknown paper %q: use %q or %q.", paper, PaperA4, PaperLetter)
	}
	return size, nil
}
