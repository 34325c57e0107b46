package main

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// object defines a TypedDict. Python 3.9 knows no optional members: those are in a second class, which inherits the required ones.
func (m *module) object(name string, s *yaml.Node) {
	required := list(get(s, "required"))
	var must, may []string
	awkward := false
	var all []string
	for field, schema := range members(get(s, "properties")) {
		kind := m.of(schema, name+camel(field))
		awkward = awkward || slices.Contains(keywords, field)
		all = append(all, fmt.Sprintf("%s: %s", quoted(field), late(kind)))
		line := fmt.Sprintf("    %s: %s\n%s", field, kind, docstring(text(schema, "description"), "    "))
		if slices.Contains(required, field) {
			must = append(must, line)
		} else {
			may = append(may, line)
		}
	}
	doc := docstring(text(s, "description"), "    ")
	if doc != "" {
		doc += "\n"
	}
	class := func(name, base, doc string, fields []string) {
		m.add(name, "class "+name+"("+base+"):\n"+doc+strings.Join(fields, ""))
	}
	switch {
	case awkward: // a keyword can't be an attribute
		total := ", total=False)"
		if len(may) == 0 {
			total = ")"
		}
		m.add(name, fmt.Sprintf("%s = TypedDict(%s, %s%s\n%s", name, quoted(name), enclosed("{", all, "}", ""), total, docstring(text(s, "description"), "")))
	case len(may) == 0:
		class(name, "TypedDict", doc, must)
	case len(must) == 0:
		class(name, "TypedDict, total=False", doc, may)
	default:
		class("_"+name, "TypedDict", "", must)
		class(name, "_"+name+", total=False", doc, may)
	}
}

// docstring returns a description as a docstring with an indent.
func docstring(description, indent string) string {
	description = strings.TrimSpace(description)
	if description == "" {
		return ""
	}
	if strings.HasSuffix(description, `"`) {
		description += " "
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(description, `\`, `\\`), "\n") {
		for len(line) > 140 && strings.Contains(line[:140], " ") {
			at := strings.LastIndexByte(line[:140], ' ')
			lines, line = append(lines, line[:at]), line[at+1:]
		}
		lines = append(lines, line)
	}
	for i := range lines {
		if lines[i] = strings.TrimRight(lines[i], " "); lines[i] != "" && i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	if len(lines) == 1 {
		return indent + `"""` + lines[0] + `"""` + "\n"
	}
	return indent + `"""` + strings.Join(lines, "\n") + "\n" + indent + `"""` + "\n"
}
