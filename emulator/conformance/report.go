package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// writers maps a report format to its writer.
var writers = map[string]func(Report, io.Writer) error{"text": Report.writeText, "json": Report.writeJSON, "junit": Report.writeJUnit}

// Formats returns the formats that Report.Write accepts.
func Formats() []string { return []string{"text", "json", "junit"} }

// Write writes the report as "text", "json", or "junit". Any other format is CodeInvalid.
func (r Report) Write(w io.Writer, format string) error {
	write, ok := writers[format]
	if !ok {
		return engine.Errorf(engine.CodeInvalid, op, "Unknown report format %q.", format).WithHint("Use one of " + strings.Join(Formats(), ", ") + ".")
	}
	return write(r, w)
}

func (r Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Report
		Counts map[Provenance]map[Outcome]int `json:"counts"`
	}{r, r.counts()})
}

func (r Report) counts() map[Provenance]map[Outcome]int {
	counts := map[Provenance]map[Outcome]int{}
	for _, p := range Provenances() {
		counts[p] = map[Outcome]int{}
		for _, o := range []Outcome{Pass, Fail, NotApplicable} {
			counts[p][o] = r.Count(p, o)
		}
	}
	return counts
}

// section holds the results of one section, in order.
type section struct {
	name    string
	results []Result
}

// sections groups the results by section.
func (r Report) sections() (all []section) {
	for _, res := range r.Results {
		i := slices.IndexFunc(all, func(s section) bool { return s.name == res.Section })
		if i < 0 {
			all = append(all, section{name: res.Section})
			i = len(all) - 1
		}
		all[i].results = append(all[i].results, res)
	}
	return all
}

// writeText writes the counts of each section, then the failures, then the undecided statements grouped by reason.
func (r Report) writeText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d statements in %s\n\n", r.BaseURL, len(r.Results), r.Took.Round(10*time.Millisecond))
	fmt.Fprintf(&b, "%-34s %5s %5s %5s\n", "section", "pass", "fail", "n/a")
	for _, s := range r.sections() {
		n := map[Outcome]int{}
		for _, res := range s.results {
			n[res.Outcome]++
		}
		fmt.Fprintf(&b, "%-34s %5d %5d %5d\n", s.name, n[Pass], n[Fail], n[NotApplicable])
	}
	b.WriteByte('\n')
	for _, p := range Provenances() {
		fmt.Fprintf(&b, "%-34s %5d %5d %5d\n", p, r.Count(p, Pass), r.Count(p, Fail), r.Count(p, NotApplicable))
	}
	for _, res := range r.Results {
		if res.Outcome == Fail {
			b.WriteString(res.failure())
		}
	}
	r.writeUndecided(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// failure formats a failed result with the exchange that shows it.
func (res Result) failure() string {
	s := fmt.Sprintf("\nFAIL %s (%s)\n  %s\n  expected  %s\n  got       %s\n", res.ID, res.Provenance, res.Text, res.Expected, res.Got)
	if x := res.Exchange; x != nil {
		s += fmt.Sprintf("  request   %s %s as %s\n", x.Method, x.URL, x.As)
		if x.Request != "" {
			s += fmt.Sprintf("            %s\n", x.Request)
		}
		s += fmt.Sprintf("  response  %d %s\n", x.Status, x.Headers["Content-Type"])
		if x.Response != "" {
			s += fmt.Sprintf("            %s\n", strings.TrimRight(x.Response, "\n"))
		}
	}
	return s
}

// writeUndecided writes each reason why statements were not applicable, with their ids.
func (r Report) writeUndecided(b *strings.Builder) {
	var reasons []string
	ids := map[string][]string{}
	for _, res := range r.Results {
		if res.Outcome != NotApplicable || res.Reason != "" || res.Test != "" {
			continue
		}
		if ids[res.Why] == nil {
			reasons = append(reasons, res.Why)
		}
		ids[res.Why] = append(ids[res.Why], res.ID)
	}
	for _, why := range reasons {
		fmt.Fprintf(b, "\nn/a  %s\n     %s\n", why, strings.Join(ids[why], ", "))
	}
}
