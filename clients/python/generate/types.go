package main

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// keywords of Python that members of the contracts could be called.
var keywords = []string{"and", "as", "assert", "async", "await", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from",
	"global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"}

// module collects the definitions of a module of types.
type module struct{ names, defined []string }

// add adds the definition of a name.
func (m *module) add(name, definition string) {
	if !strings.HasPrefix(name, "_") {
		m.names = append(m.names, name)
	}
	m.defined = append(m.defined, definition)
}

// of returns the Python type of a schema. An object that has no name of its own is defined as name.
func (m *module) of(s *yaml.Node, name string) string {
	if ref := text(s, "$ref"); ref != "" {
		return ref[strings.LastIndexByte(ref, '/')+1:]
	}
	if one := get(s, "oneOf"); one != nil {
		return m.union(one.Content, name)
	}
	if c := get(s, "const"); c != nil {
		return "Literal[" + literal(c) + "]"
	}
	kinds := list(get(s, "type"))
	null := slices.Contains(kinds, "null")
	kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "null" })
	found := "Any"
	switch {
	case get(s, "enum") != nil:
		var values []string
		for _, v := range get(s, "enum").Content {
			values = append(values, literal(v))
		}
		found = "Literal[" + strings.Join(values, ", ") + "]"
	case len(kinds) == 1:
		found = m.plain(kinds[0], s, name)
	}
	if null && found != "Any" {
		return "Optional[" + found + "]"
	}
	return found
}

// plain returns the Python type of a schema with one type.
func (m *module) plain(kind string, s *yaml.Node, name string) string {
	switch kind {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "null":
		return "None"
	case "array":
		return "List[" + m.of(get(s, "items"), singular(name)) + "]"
	case "object":
		if get(s, "properties") != nil {
			m.object(name, s)
			return name
		}
		if values := get(s, "additionalProperties"); values != nil && values.Kind == yaml.MappingNode {
			return "Dict[str, " + m.of(values, name+"Value") + "]"
		}
		return "Dict[str, Any]"
	}
	return "Any"
}

// singular returns the name of the elements of a list.
func singular(name string) string { return strings.TrimSuffix(name, "s") }

func (m *module) union(branches []*yaml.Node, name string) string {
	var kinds []string
	null := false
	for i, b := range branches {
		if text(b, "type") == "null" {
			null = true
			continue
		}
		hint := name
		if i > 0 {
			hint += fmt.Sprint(i + 1)
		}
		kinds = append(kinds, m.of(b, hint))
	}
	found := kinds[0]
	if len(kinds) > 1 {
		found = "Union[" + strings.Join(kinds, ", ") + "]"
	}
	if null {
		return "Optional[" + found + "]"
	}
	return found
}

// literal returns a scalar as Python writes it.
func literal(n *yaml.Node) string {
	switch n.Tag {
	case "!!bool":
		return strings.ToUpper(n.Value[:1]) + n.Value[1:]
	case "!!int":
		return n.Value
	}
	return quoted(n.Value)
}

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// define writes a named schema of the contract.
func (m *module) define(name string, s *yaml.Node) {
	if get(s, "properties") != nil && get(s, "oneOf") == nil {
		m.object(name, s)
		return
	}
	kind := m.of(s, name)
	m.add(name, fmt.Sprintf("%s = %s\n%s", name, late(kind), docstring(text(s, "description"), "")))
}

// late puts the names of types in an alias into quotes, because they may be defined further down.
func late(kind string) string {
	if strings.HasPrefix(kind, "Literal[") {
		return kind
	}
	for _, generic := range []string{"Optional", "Union", "List", "Dict"} {
		if inner, found := strings.CutPrefix(kind, generic+"["); found {
			var args []string
			for _, a := range arguments(strings.TrimSuffix(inner, "]")) {
				args = append(args, late(a))
			}
			return enclosed(generic+"[", args, "]", "")
		}
	}
	if slices.Contains([]string{"str", "int", "float", "bool", "None", "Any"}, kind) {
		return kind
	}
	return quoted(kind)
}

// arguments splits the arguments of a generic type.
func arguments(s string) []string {
	var found []string
	depth, from := 0, 0
	for i, r := range s {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			found, from = append(found, strings.TrimSpace(s[from:i])), i+1
		}
	}
	return append(found, strings.TrimSpace(s[from:]))
}

// camel returns a member's name as part of a class name.
func camel(s string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '_' || r == '-' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// snake returns an operation's name as Python writes it.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
