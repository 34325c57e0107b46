package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// Evidence is what recorded exchanges say about the statements.
type Evidence struct {
	To          string     `json:"to"` // address of the recorded service
	Exchanges   int        `json:"exchanges"`
	Interrupted bool       `json:"interrupted"` // the recording of the last exchange was cut
	Decisions   []Decision `json:"statements"`  // in the order of Statements()
}

// Against judges the statements by the exchanges in a folder. only is as Config.Only; its errors are CodeInvalid. It returns the errors of
// record.Open and Folder.Each.
func Against(dir, only string) (Evidence, error) {
	c := Config{Only: only}
	if err := c.checkPatterns(); err != nil {
		return Evidence{}, err
	}
	f, err := record.Open(dir)
	if err != nil {
		return Evidence{}, err
	}
	e, o := Evidence{To: f.To, Decisions: []Decision{}}, NewObserver()
	if e.Interrupted, err = f.Each(func(x *record.Exchange) error {
		e.Exchanges++
		o.Add(x)
		return nil
	}); err != nil {
		return Evidence{}, err
	}
	for _, d := range o.Decisions() {
		if c.selects(d.ID) {
			e.Decisions = append(e.Decisions, d)
		}
	}
	return e, nil
}

// Count returns the number of statements with a provenance of which as much is known.
func (e Evidence) Count(p Provenance, k Knowledge) (n int) {
	for _, d := range e.Decisions {
		if d.Provenance == p && d.Knowledge == k {
			n++
		}
	}
	return n
}

// Contradicted returns the statements that exchanges contradict; without strict, only specified ones.
func (e Evidence) Contradicted(strict bool) (all []Decision) {
	for _, d := range e.Decisions {
		if d.Knowledge == Contradicted && (strict || d.Provenance == Specified) {
			all = append(all, d)
		}
	}
	return all
}

// EvidenceFormats returns the formats that Evidence.Write accepts.
func EvidenceFormats() []string { return []string{"text", "json"} }

// Write writes the evidence as "text" or "json". Any other format is CodeInvalid.
func (e Evidence) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return e.writeText(w)
	case "json":
		return e.writeJSON(w)
	}
	return engine.Errorf(engine.CodeInvalid, op, "Unknown report format %q.", format).WithHint("Use one of " + strings.Join(EvidenceFormats(), ", ") + ".")
}

func (e Evidence) writeJSON(w io.Writer) error {
	counts := map[Provenance]map[Knowledge]int{}
	for _, p := range Provenances() {
		counts[p] = map[Knowledge]int{}
		for _, k := range []Knowledge{Confirmed, Contradicted, NotSeen} {
			counts[p][k] = e.Count(p, k)
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Evidence
		Counts map[Provenance]map[Knowledge]int `json:"counts"`
	}{e, counts})
}

// writeText writes the counts, then the assumed and documented statements that are now known, then the specified ones that are contradicted.
func (e Evidence) writeText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d exchanges\n\n%-12s %9s %12s %9s\n", e.To, e.Exchanges, "", "confirmed", "contradicted", "not seen")
	for _, p := range Provenances() {
		fmt.Fprintf(&b, "%-12s %9d %12d %9d\n", p, e.Count(p, Confirmed), e.Count(p, Contradicted), e.Count(p, NotSeen))
	}
	if e.Interrupted {
		b.WriteString("\nThe recording of the last exchange was interrupted; it is left out.\n")
	}
	for _, p := range slices.Backward(Provenances()) {
		for _, d := range e.Decisions {
			if d.Provenance == p && d.Knowledge == Contradicted {
				b.WriteString(d.contradiction())
			}
		}
	}
	for _, p := range []Provenance{Assumed, Documented} {
		known := slices.DeleteFunc(slices.Clone(e.Decisions), func(d Decision) bool { return d.Provenance != p || d.Knowledge != Confirmed })
		if len(known) > 0 {
			fmt.Fprintf(&b, "\nconfirmed (%s)\n", p)
		}
		for _, d := range known {
			fmt.Fprintf(&b, "  %-44s %3d ×  %s\n", d.ID, d.Confirmations, d.Text)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// contradiction formats a contradicted statement with the exchange that shows it.
func (d Decision) contradiction() string {
	s := fmt.Sprintf("\nCONTRADICTED %s (%s)\n  %s\n  expected  %s\n  got       %s\n", d.ID, d.Provenance, d.Text, d.Expected, d.Got)
	if x := d.Example; x != nil {
		s += fmt.Sprintf("  exchange  #%d %s %s\n", x.Number, x.Method, x.Path)
		if x.Request != "" {
			s += fmt.Sprintf("            %s\n", cutText(x.Request))
		}
		s += fmt.Sprintf("  response  %d %s\n            %s\n", x.Status, x.ContentType, cutText(strings.TrimRight(x.Response, "\n")))
	}
	return s
}
