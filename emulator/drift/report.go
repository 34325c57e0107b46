package drift

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// Report says how a service differs from what is known about it.
type Report struct {
	To         string     `json:"to"` // address of the service
	Counts     Counts     `json:"counts"`
	Statements Statements `json:"statements"`
	Findings   []Finding  `json:"findings"` // specified first, then documented, then assumed
}

// Statements counts the statements by what the exchanges say about them.
type Statements struct {
	Confirmed    int `json:"confirmed"`
	Contradicted int `json:"contradicted"`
	NotSeen      int `json:"not_seen"`
}

// Drifts returns the findings that make a check fail: those of specified and documented parts; with strict, all.
func (r Report) Drifts(strict bool) (all []Finding) {
	for _, f := range r.Findings {
		if strict || f.Provenance != conformance.Assumed {
			all = append(all, f)
		}
	}
	return all
}

// Count returns the number of findings with a provenance.
func (r Report) Count(p conformance.Provenance) (n int) {
	for _, f := range r.Findings {
		if f.Provenance == p {
			n++
		}
	}
	return n
}

// Unchecked returns the reasons why exchanges were not checked, sorted.
func (r Report) Unchecked() (all []Uncheckable) {
	for reason, n := range r.Counts.Unchecked {
		all = append(all, Uncheckable{reason, n})
	}
	slices.SortFunc(all, func(a, b Uncheckable) int { return strings.Compare(a.Reason, b.Reason) })
	return all
}

// Uncheckable is a reason why exchanges, or their bodies, were not checked, and their number.
type Uncheckable struct {
	Reason string
	Count  int
}

var writers = map[string]func(Report, io.Writer) error{
	"text": Report.writeText, "json": Report.writeJSON, "junit": Report.writeJUnit, "html": Report.writeHTML,
}

// Formats returns the formats that Report.Write accepts.
func Formats() []string { return []string{"text", "json", "junit", "html"} }

// Write writes the report as text, json, junit, or html. Any other format is CodeInvalid.
func (r Report) Write(w io.Writer, format string) error {
	write, ok := writers[format]
	if !ok {
		return engine.Errorf(engine.CodeInvalid, "drift", "Unknown report format %q.", format).WithHint("Use one of " + strings.Join(Formats(), ", ") + ".")
	}
	return write(r, w)
}

func (r Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

func (r Report) writeText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s checked, %s: %d specified, %d documented, %d assumed\n", r.To, plural(r.Counts.Checked, "exchange", "exchanges"),
		plural(len(r.Findings), "difference", "differences"), r.Count(conformance.Specified), r.Count(conformance.Documented), r.Count(conformance.Assumed))
	fmt.Fprintf(&b, "statements: %d confirmed, %d contradicted, %d not seen\n", r.Statements.Confirmed, r.Statements.Contradicted, r.Statements.NotSeen)
	for _, u := range r.Unchecked() {
		fmt.Fprintf(&b, "not checked: %d × %s\n", u.Count, u.Reason)
	}
	if r.Counts.Omitted > 0 {
		fmt.Fprintf(&b, "%d more differences are left out\n", r.Counts.Omitted)
	}
	for _, f := range r.Findings {
		b.WriteString("\n" + f.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text formats a finding with its first exchange.
func (f Finding) text() string {
	s := fmt.Sprintf("DRIFT %s (%s, %s)\n  %s\n  where     %s\n  expected  %s\n  got       %s\n", f.ID, f.Kind, f.Provenance, f.Text, f.Where, f.Expected, f.Got)
	s += fmt.Sprintf("  seen      %s: %s\n", plural(f.Count, "time", "times"), numbers(f.Exchanges))
	if x := f.Example; x != nil {
		s += fmt.Sprintf("  request   %s %s\n", x.Method, x.Path)
		if x.Request != "" {
			s += fmt.Sprintf("            %s\n", oneLine(x.Request))
		}
		s += fmt.Sprintf("  response  %d %s\n", x.Status, x.ContentType)
		if x.Response != "" {
			s += fmt.Sprintf("            %s\n", oneLine(x.Response))
		}
	}
	return s
}

func oneLine(s string) string {
	return strings.NewReplacer("\r", "", "\n", "⏎").Replace(strings.TrimRight(s, "\n"))
}

func numbers(all []int64) string {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = "#" + strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func statusText(status int) string { return strconv.Itoa(status) }

// The elements of a JUnit report.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitMessage `xml:"failure"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite for each checked operation. Each difference is a failed case; an operation without one is a passed case.
func (r Report) writeJUnit(w io.Writer) error {
	all := junitSuites{Name: "drift of " + r.To}
	suites := map[string]*junitSuite{}
	for op := range r.Counts.Operations {
		suites[op] = &junitSuite{Name: op}
	}
	for _, f := range r.Findings {
		op, _, _ := strings.Cut(f.Where, " ")
		s := suites[op]
		if s == nil {
			if s = suites["unknown"]; s == nil {
				s = &junitSuite{Name: "unknown"}
				suites["unknown"] = s
			}
		}
		s.Tests, s.Failures = s.Tests+1, s.Failures+1
		s.Cases = append(s.Cases, junitCase{Name: f.ID, Class: string(f.Provenance), Failure: &junitMessage{Message: "expected " + f.Expected + ", got " + f.Got, Text: f.text()}})
	}
	for op, s := range suites {
		if s.Tests == 0 {
			s.Tests, s.Cases = 1, []junitCase{{Name: op + " does not differ", Class: "drift"}}
		}
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Suites = append(all.Suites, *s)
	}
	slices.SortFunc(all.Suites, func(a, b junitSuite) int { return strings.Compare(a.Name, b.Name) })
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
