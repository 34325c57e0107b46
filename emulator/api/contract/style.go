package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Style returns what an OpenAPI document lacks for its readers: people, documentation, and generators of clients. Each operation has a
// summary, a description, and an example of each body; each parameter and each component schema has a description; each 64-bit number has a
// format; and no schema has a union that generators refuse.
func Style(spec []byte) (lacks []string) {
	var doc map[string]any
	if err := yaml.Load(spec, &doc); err != nil {
		return []string{err.Error()}
	}
	if regexp.MustCompile(`(?m)[:\[,-] [&*][a-zA-Z]|<<:`).Match(spec) {
		lacks = append(lacks, "YAML anchors, aliases, or merge keys: some parsers don't read them")
	}
	walk(doc, nil, func(path []string, n map[string]any) {
		for _, complaint := range slices.Concat(operationStyle(n), namedStyle(path, n), schemaStyle(path, n)) {
			lacks = append(lacks, strings.Join(path, " › ")+": "+complaint)
		}
	})
	slices.Sort(lacks)
	return lacks
}

// walk calls visit for each mapping of a document outside examples.
func walk(n any, path []string, visit func([]string, map[string]any)) {
	switch n := n.(type) {
	case map[string]any:
		visit(path, n)
		for key, child := range n {
			if key != "example" && key != "examples" {
				walk(child, append(path[:len(path):len(path)], key), visit)
			}
		}
	case []any:
		for i, child := range n {
			walk(child, append(path[:len(path):len(path)], fmt.Sprint(i)), visit)
		}
	}
}

func operationStyle(n map[string]any) (lacks []string) {
	if n["operationId"] != nil {
		for _, key := range []string{"summary", "description"} {
			if n[key] == nil {
				lacks = append(lacks, "no "+key)
			}
		}
	}
	if content, ok := n["content"].(map[string]any); ok {
		for mediaType, m := range content {
			if m := m.(map[string]any); m["example"] == nil && m["examples"] == nil {
				lacks = append(lacks, "no example of "+mediaType)
			}
		}
	}
	return lacks
}

// namedStyle returns what a parameter or a component schema lacks.
func namedStyle(path []string, n map[string]any) []string {
	parameter := n["in"] != nil && n["name"] != nil
	component := len(path) == 3 && path[0] == "components" && path[1] == "schemas"
	if (parameter || component) && n["description"] == nil {
		return []string{"no description"}
	}
	return nil
}

// wide matches the names of numbers that need 64 bits: lengths in bytes and milliseconds, and numbers that count up for ever.
var wide = regexp.MustCompile(`^(content_)?size$|_ms$|_bytes$|^bytes$|^(start|end|number|since|last|resend_of|seed|truncate|audio_duration)$`)

func schemaStyle(path []string, n map[string]any) (lacks []string) {
	if n["anyOf"] != nil {
		lacks = append(lacks, "anyOf: not all generators have it")
	}
	types, union := n["type"].([]any)
	if union && len(slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })) > 1 {
		lacks = append(lacks, "a union of types: not all generators have it")
	}
	integer := n["type"] == "integer" || slices.Contains(types, any("integer"))
	format, _ := n["format"].(string)
	if integer && len(path) > 1 && path[len(path)-2] == "properties" && wide.MatchString(path[len(path)-1]) && !strings.HasSuffix(format, "int64") {
		lacks = append(lacks, "no format of a 64-bit number")
	}
	return lacks
}
