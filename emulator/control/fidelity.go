package control

import (
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
)

// Fidelity reports how faithful the sandbox is to the service: every statement of the specification with how it is checked, and every
// part of the contract that is assumed.
type Fidelity struct {
	Statements []CheckedStatement `json:"statements"`
	Assumed    []Assumption       `json:"assumed"`
}

// CheckedStatement is a statement with how it is checked: "check" by `soundstage conformance`, "test" by the named Go test, or "none",
// with the reason why it can't be checked.
type CheckedStatement struct {
	conformance.Statement
	Checked string `json:"checked"`
}

// Assumption is an operation, parameter, header, field, or status of the contract that the specification does not show.
type Assumption struct {
	Where       string `json:"where"` // path in the document: "/v1/renders › post › responses › 202"
	Description string `json:"description,omitempty"`
}

// ReadFidelity returns the fidelity report for a contract document. It returns the parser's error for malformed YAML.
func ReadFidelity(contract []byte) (Fidelity, error) {
	var f Fidelity
	for _, st := range conformance.Statements() {
		f.Statements = append(f.Statements, CheckedStatement{Statement: st, Checked: checked(st)})
	}
	var doc yaml.Node
	if err := yaml.Load(contract, &doc); err != nil {
		return Fidelity{}, err
	}
	f.Assumed = assumed(&doc, nil, nil)
	return f, nil
}

func checked(st conformance.Statement) string {
	switch {
	case st.Test != "":
		return "test"
	case st.Reason != "":
		return "none"
	}
	return "check"
}

// assumed appends every mapping of a document that has x-provenance: assumed.
func assumed(n *yaml.Node, path []string, all []Assumption) []Assumption {
	switch n.Kind {
	case yaml.DocumentNode:
		return assumed(n.Content[0], path, all)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			name := scalar(item, "name")
			if name == "" {
				name = strconv.Itoa(i)
			}
			all = assumed(item, append(slices.Clone(path), name), all)
		}
	case yaml.MappingNode:
		if scalar(n, "x-provenance") == string(conformance.Assumed) {
			what := scalar(n, "summary")
			if what == "" {
				what = scalar(n, "description")
			}
			all = append(all, Assumption{Where: strings.Join(path, " › "), Description: strings.TrimSpace(what)})
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; key != "example" && key != "examples" {
				step := path
				if key != "paths" && key != "components" && key != "properties" && key != "parameters" {
					step = append(slices.Clone(path), key)
				}
				all = assumed(n.Content[i+1], step, all)
			}
		}
	}
	return all
}

// scalar returns a scalar member of a mapping, or "".
func scalar(n *yaml.Node, key string) string {
	if n.Kind != yaml.MappingNode {
		return ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

//go:embed fidelity.html
var fidelityHTML string

var fidelityPage = template.Must(template.New("fidelity").Funcs(template.FuncMap{"prose": formatCode}).Parse(fidelityHTML))

// formatCode returns text as HTML, with text in backticks as code.
func formatCode(text string) template.HTML {
	parts := strings.Split(template.HTMLEscapeString(text), "`")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case i == len(parts)-1: // the backtick is never closed
			b.WriteString("`" + part)
		default:
			b.WriteString("<code>" + part + "</code>")
		}
	}
	return template.HTML(b.String())
}

// serveFidelity handles GET /_soundstage/fidelity: an HTML page for browsers, JSON otherwise.
func serveFidelity(w http.ResponseWriter, req *http.Request) {
	f, err := ReadFidelity(api.Spec)
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Vary", "Accept")
	if !strings.Contains(req.Header.Get("Accept"), "text/html") {
		writeJSON(w, http.StatusOK, f)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_ = fidelityPage.Execute(w, f)
}
