package der

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxLine is the longest line of RTTM or UEM.
const maxLine = 1 << 16

// ParseRTTM reads Rich Transcription Time Marked files (NIST, RT-09 evaluation plan, appendix A) and returns the segments of
// each file that they name. It reads SPEAKER lines, "SPEAKER file channel start duration <NA> <NA> speaker <NA> <NA>", with
// times in seconds. It skips comments and lines of other types. Errors include the line number.
func ParseRTTM(r io.Reader) (map[string][]Segment, error) {
	files := map[string][]Segment{}
	err := eachLine(r, func(f []string) error {
		if f[0] != "SPEAKER" {
			return nil
		}
		if len(f) < 8 {
			return fmt.Errorf("a SPEAKER line must have at least 8 fields (got %d)", len(f))
		}
		start, err := parseSeconds(f[3])
		if err != nil {
			return err
		}
		length, err := parseSeconds(f[4])
		if err != nil {
			return err
		}
		files[f[1]] = append(files[f[1]], Segment{Speaker: f[7], Start: start, End: start + length})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rttm: %w", err)
	}
	return files, nil
}

// WriteRTTM writes segments as SPEAKER lines, to the millisecond. White space in names becomes "_".
func WriteRTTM(w io.Writer, file string, segments []Segment) error {
	for _, s := range segments {
		start, end := s.Start.Round(time.Millisecond), s.End.Round(time.Millisecond)
		if _, err := fmt.Fprintf(w, "SPEAKER %s 1 %s %s <NA> <NA> %s <NA> <NA>\n",
			field(file), seconds(start), seconds(end-start), field(s.Speaker)); err != nil {
			return err
		}
	}
	return nil
}

// ParseUEM reads un-partitioned evaluation maps and returns the spans to score in each file that they name. Lines are "file
// channel start end", with times in seconds.
func ParseUEM(r io.Reader) (map[string][]Span, error) {
	files := map[string][]Span{}
	err := eachLine(r, func(f []string) error {
		if len(f) != 4 {
			return fmt.Errorf("a line must have 4 fields (got %d)", len(f))
		}
		start, err := parseSeconds(f[2])
		if err != nil {
			return err
		}
		end, err := parseSeconds(f[3])
		if err != nil {
			return err
		}
		if end < start {
			return fmt.Errorf("%s ends at %s, before it starts at %s", f[0], f[3], f[2])
		}
		files[f[0]] = append(files[f[0]], Span{start, end})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("uem: %w", err)
	}
	return files, nil
}

// WriteUEM writes the spans of a file to score, to the millisecond.
func WriteUEM(w io.Writer, file string, spans []Span) error {
	for _, s := range spans {
		if _, err := fmt.Fprintf(w, "%s 1 %s %s\n", field(file), seconds(s.Start), seconds(s.End)); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls fn with the fields of each line that is neither empty nor a comment.
func eachLine(r io.Reader, fn func(fields []string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimPrefix(lines.Text(), "\uFEFF")
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], ";") || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := fn(fields); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// parseSeconds parses a number of seconds from 0 to 10,000 hours.
func parseSeconds(s string) (time.Duration, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 3.6e7 {
		return 0, fmt.Errorf("%q is not a number of seconds between 0 and 36,000,000", s)
	}
	return time.Duration(math.Round(v * 1e9)), nil
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', 3, 64)
}

// field makes s a single field of a line.
func field(s string) string {
	if s = strings.Join(strings.Fields(s), "_"); s == "" {
		return "<NA>"
	}
	return s
}
