package conformance

import (
	_ "embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed statements.yaml
var statementsYAML []byte

// Provenance says where a statement comes from.
type Provenance string

const (
	Specified  Provenance = "specified"  // stated by the specification
	Documented Provenance = "documented" // shown by the service's public documentation
	Assumed    Provenance = "assumed"    // decided where both are silent
)

// Provenances returns every provenance, strongest first.
func Provenances() []Provenance { return []Provenance{Specified, Documented, Assumed} }

// Statement is one requirement on a server of /v1.
type Statement struct {
	ID         string     `yaml:"id" json:"id"` // "recordings.list.newest-first"
	Section    string     `yaml:"-" json:"section"`
	Text       string     `yaml:"text" json:"text"`
	Provenance Provenance `yaml:"-" json:"provenance"`
	Reason     string     `yaml:"none" json:"reason,omitempty"` // why no black-box check decides it; "" if one does
	Test       string     `yaml:"test" json:"test,omitempty"`   // Go test of this repository that decides it: "engine.TestUploadExpiry"
}

// group is one entry of statements.yaml: the statements of one section and provenance.
type group struct {
	Section    string      `yaml:"section"`
	Provenance Provenance  `yaml:"provenance"`
	Statements []Statement `yaml:"statements"`
}

// Statements returns every statement in the order of the specification. Within a section, specified statements come first.
func Statements() []Statement { return append([]Statement(nil), parsed()...) }

var parsed = sync.OnceValue(func() []Statement {
	all, err := parseStatements(statementsYAML)
	if err != nil {
		panic(err) // the file is embedded, and a test parses it
	}
	return all
})

func parseStatements(raw []byte) ([]Statement, error) {
	var groups []group
	if err := yaml.Load(raw, &groups, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("statements.yaml: %w", err)
	}
	var all []Statement
	seen := map[string]bool{}
	for _, g := range groups {
		if g.Provenance != Specified && g.Provenance != Documented && g.Provenance != Assumed {
			return nil, fmt.Errorf("statements.yaml: section %q has an unknown provenance %q", g.Section, g.Provenance)
		}
		for _, s := range g.Statements {
			if s.ID == "" || s.Text == "" || g.Section == "" || seen[s.ID] {
				return nil, fmt.Errorf("statements.yaml: statement %q has no text, no section, or a duplicate id", s.ID)
			}
			seen[s.ID] = true
			s.Section, s.Provenance = g.Section, g.Provenance
			all = append(all, s)
		}
	}
	return all, nil
}
