package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// contract is an OpenAPI document. Its nodes keep the order of members, so that the generated code has the order of the document.
type contract struct{ root *yaml.Node }

func readContract(path string) (*contract, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Load(raw, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(doc.Content) != 1 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return &contract{doc.Content[0]}, nil
}

// get returns the member of a mapping that a path of keys leads to, or nil.
func get(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		var found *yaml.Node
		for k, v := range members(n) {
			if k == key {
				found = v
			}
		}
		n = found
	}
	return n
}

// text returns the scalar that a path of keys leads to, or "".
func text(n *yaml.Node, keys ...string) string {
	if n = get(n, keys...); n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// list returns the scalars of a sequence, or the one of a scalar.
func list(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var found []string
	for _, c := range n.Content {
		found = append(found, c.Value)
	}
	return found
}

// items returns the elements of a sequence.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	return n.Content
}

// members yields the members of a mapping in the order of the document.
func members(n *yaml.Node) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// resolve follows the reference of a parameter, response, or schema, if it is one.
func (c *contract) resolve(n *yaml.Node) *yaml.Node {
	for range 10 {
		ref := text(n, "$ref")
		if ref == "" {
			return n
		}
		n = get(c.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return n
}

// operation is one operation that the clients have.
type operation struct {
	id, method, path string
	node             *yaml.Node
}

// operations returns what the clients have: all operations, apart from streams and signed URLs, which the package handles by hand.
func (c *contract) operations() []operation {
	var found []operation
	for path, item := range members(get(c.root, "paths")) {
		if strings.HasPrefix(path, "/storage/") {
			continue
		}
		for method, node := range members(item) {
			if id := text(node, "operationId"); id != "" && !c.streams(node) {
				found = append(found, operation{id, strings.ToUpper(method), path, node})
			}
		}
	}
	return found
}

// streams reports whether a response has no end.
func (c *contract) streams(op *yaml.Node) bool {
	for media := range members(c.answer(op)) {
		if slices.Contains([]string{"text/event-stream", "application/x-ndjson"}, media) {
			return true
		}
	}
	return false
}

// answer returns the content of the first successful response of an operation, by media type.
func (c *contract) answer(op *yaml.Node) *yaml.Node {
	for status, r := range members(get(op, "responses")) {
		if strings.HasPrefix(status, "2") {
			return get(c.resolve(r), "content")
		}
	}
	return nil
}
