package llm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var (
	marking = lazyregexp.New(`[ ]?\[@\d{1,6}(?:[ ]*[-–—,;][ ]*@\d{1,6})*\]`)
	marks   = lazyregexp.New(`@(\d{1,6})`)
	between = lazyregexp.New(`[ ]*[,;][ ]*|[ ]*[-–—][ ]*`)
)

// withTimes replaces line marks with times: [@12] becomes 3:41, and [@12-@15] becomes 3:41–4:02. It removes marks of
// unknown lines, with the space before them.
func withTimes(text string, passages []transcript.Passage) string {
	var starts []time.Duration
	for _, p := range passages {
		for _, u := range p.Utterances {
			starts = append(starts, u.Start)
		}
	}
	return marking.ReplaceAllStringFunc(text, func(found string) string {
		blank := found[:strings.Index(found, "[")]
		inside := strings.Trim(found, " []")
		var times []string
		for _, m := range marks.FindAllStringSubmatch(inside, -1) {
			if n, _ := strconv.Atoi(m[1]); n >= 1 && n <= len(starts) {
				times = append(times, clock(starts[n-1]))
			}
		}
		if len(times) == 0 {
			return ""
		}
		joint := ", "
		if len(times) == 2 && strings.ContainsAny(between.FindString(inside), "-–—") {
			joint = "–"
		}
		return blank + strings.Join(times, joint)
	})
}

// unknownMarks returns the marks in brackets that are not those of a line, each once.
func unknownMarks(text string, passages []transcript.Passage) (unknown []string) {
	lines := 0
	for _, p := range passages {
		lines += len(p.Utterances)
	}
	const most = 5
	for _, found := range marking.FindAllString(text, -1) {
		for _, m := range marks.FindAllStringSubmatch(found, -1) {
			n, _ := strconv.Atoi(m[1])
			if (n < 1 || n > lines) && !slices.Contains(unknown, m[0]) && len(unknown) < most {
				unknown = append(unknown, m[0])
			}
		}
	}
	return unknown
}

// clock formats a time as 12:34, or as 1:02:03 from one hour.
func clock(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
