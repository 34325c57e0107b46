package formats_test

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// painted is an operator that draws something, with the marked content that it is in.
type painted struct {
	page     string
	operator string
	mcid     int // -1 if there is none
	artifact bool
	font     string // for text
	codes    []int
	problem  string
}

var (
	contentToken = regexp.MustCompile(`<<|>>|<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\)])*\)|[\[\]]|/[^\s<>\[\]()/]+|[^\s<>\[\]()/]+`)
	paints       = strings.Fields("Tj TJ ' \" S s f F f* B B* b b* sh Do EI")
)

// painted returns what the pages draw.
func (f *pdfFile) painted() (all []painted) {
	for _, page := range f.pages() {
		var operands []string
		var stack []painted // open marked content
		font := ""
		for _, token := range contentToken.FindAllString(string(f.data(f.dict(page)["/Contents"])), -1) {
			switch {
			case token == "BDC" || token == "BMC":
				stack = append(stack, mark(operands, stack))
			case token == "EMC":
				if len(stack) == 0 {
					all = append(all, painted{page: page, problem: "EMC without BDC"})
				} else {
					stack = stack[:len(stack)-1]
				}
			case token == "Tf":
				font = operands[len(operands)-2]
			case slices.Contains(paints, token):
				p := painted{mcid: -1}
				if len(stack) > 0 {
					p = stack[len(stack)-1]
				}
				p.page, p.operator = page, token
				if strings.HasPrefix(token, "T") {
					p.font, p.codes = font, codesOf(operands)
				}
				all = append(all, p)
			default:
				operands = append(operands, token)
				continue
			}
			operands = nil
		}
		if len(stack) > 0 {
			all = append(all, painted{page: page, problem: "BDC without EMC"})
		}
	}
	return all
}

// mark returns the marked content that an operator begins inside other content.
func mark(operands []string, stack []painted) painted {
	p := painted{mcid: -1, artifact: slices.Contains(operands, "/Artifact")}
	for i, o := range operands {
		if o == "/MCID" {
			p.mcid, _ = strconv.Atoi(operands[i+1])
		}
	}
	for _, outer := range stack {
		p.problem = outer.problem
		if outer.artifact && p.mcid >= 0 {
			p.problem = "tagged content in an artifact"
		}
		if outer.mcid >= 0 && p.artifact {
			p.problem = "an artifact in tagged content"
		}
		if p.mcid < 0 && !p.artifact {
			p.mcid, p.artifact = outer.mcid, outer.artifact
		}
	}
	return p
}

// codesOf returns the two-byte codes of strings in hexadecimal.
func codesOf(operands []string) (codes []int) {
	for _, o := range operands {
		if strings.HasPrefix(o, "<") {
			b, err := hex.DecodeString(strings.Trim(o, "<>"))
			if err != nil || len(b)%2 == 1 {
				return []int{-1}
			}
			for i := 0; i < len(b); i += 2 {
				codes = append(codes, int(b[i])<<8|int(b[i+1]))
			}
		}
	}
	return codes
}

// unicode returns the map of a ToUnicode stream, from codes to UTF-16 in hexadecimal.
func (f *pdfFile) unicode(font dict) map[int]string {
	m := map[int]string{}
	for _, block := range regexp.MustCompile(`(?s)beginbfchar(.*?)endbfchar`).FindAllStringSubmatch(string(f.data(font["/ToUnicode"])), -1) {
		for line := range strings.Lines(strings.TrimSpace(block[1])) {
			var code int
			var text string
			if _, err := fmt.Sscanf(strings.NewReplacer("<", "", ">", "").Replace(line), "%x %s", &code, &text); err == nil {
				m[code] = text
			}
		}
	}
	return m
}
