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
	Specified  Provenance = "specified"  // the specification of the service says it
	Documented Provenance = "documented" // the service's public documentation shows it
	Assumed    Provenance = "assumed"    // chosen where both are silent
)

// Provenances are all provenances, the strongest first.
func Provenances() []Provenance { return []Provenance{Specified, Documented, Assumed} }

// Statement is one thing that a server of /v1 does or has.
type Statement struct {
	ID         string     `yaml:"id" json:"id"` // "recordings.list.newest-first"
	Section    string     `yaml:"-" json:"section"`
	Text       string     `yaml:"text" json:"text"`
	Provenance Provenance `yaml:"-" json:"provenance"`
	Reason     string     `yaml:"none" json:"reason,omitempty"` // why no black-box check decides it; "" when one does
	Test       string     `yaml:"test" json:"test,omitempty"`   // Go test of this repository that decides it: "engine.TestUploadExpiry"
}

// group is how statements.yaml keeps statements: those of one section and provenance together.
type group struct {
	Section    string      `yaml:"section"`
	Provenance Provenance  `yaml:"provenance"`
	Statements []Statement `yaml:"statements"`
}

// Statements returns every statement, in the order of the specification, the decided ones of a section behind its own.
func Statements() []Statement { return append([]Statement(nil), parsed()...) }

var parsed = sync.OnceValue(func() []Statement {
	all, err := parseStatements(statementsYAML)
	if err != nil {
		panic(err) // the file is embedded: a test parses it
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
			return nil, fmt.Errorf("statements.yaml: section %q has the provenance %q", g.Section, g.Provenance)
		}
		for _, s := range g.Statements {
			if s.ID == "" || s.Text == "" || g.Section == "" || seen[s.ID] {
				return nil, fmt.Errorf("statements.yaml: %q has no text or section, or is there twice", s.ID)
			}
			seen[s.ID] = true
			s.Section, s.Provenance = g.Section, g.Provenance
			all = append(all, s)
		}
	}
	return all, nil
}
