// Package document reads the YAML files that users write for Soundstage: fixtures, config files, and styles. It accepts a plain subset of YAML
// and reports each error with its line and column. Start with Parse:
//
//	root, err := document.Parse([]byte("clock: steps"), 8) // root.Content[1].Value is "steps"
package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Error describes what is wrong with a document. Line and Column count from 1; Msg has no final full stop.
type Error struct {
	Line, Column int
	Msg          string
	Err          error // the parser's error; nil when the YAML is valid but uses an unsupported feature
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg) }

func (e *Error) Unwrap() error { return e.Err }

// Parse reads one YAML document, nested at most depth levels deep. Anchors, aliases, tags, and merge keys are not supported. Mapping keys
// must be scalars and unique. Parse returns nil for a file that is empty or holds only comments. Every error is an *Error.
func Parse(raw []byte, depth int) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(raw), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(depthLimit(depth)))))
	if err != nil {
		return nil, parseError(raw, err)
	}
	var root *yaml.Node
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); errors.Is(err, io.EOF) {
			return root, nil
		} else if err != nil {
			return nil, parseError(raw, err)
		}
		if len(doc.Content) == 0 || isEmpty(doc.Content[0]) {
			continue
		}
		if root != nil {
			return nil, errorAt(doc.Content[0], "expected one YAML document, but another starts here")
		}
		root = doc.Content[0]
		if err := checkPlain(root); err != nil {
			return nil, err
		}
	}
}

// isEmpty reports whether a document holds only a separator or comments.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.ShortTag() == "!!null"
}

// checkPlain rejects anchors, aliases, tags, merge keys, and keys that are not scalars or are duplicates.
func checkPlain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.ShortTag() == "!!merge" {
		return errorAt(n, "anchors, aliases, tags, and merge keys are not supported")
	}
	lines := map[string]int{}
	for i, child := range n.Content {
		if err := checkPlain(child); err != nil {
			return err
		}
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			continue
		}
		if child.Kind != yaml.ScalarNode || child.ShortTag() == "!!null" {
			return errorAt(child, "expected a key")
		}
		if first, twice := lines[child.Value]; twice {
			return errorAt(child, fmt.Sprintf("duplicate key %s, first defined on line %d", child.Value, first))
		}
		lines[child.Value] = child.Line
	}
	return nil
}

func errorAt(n *yaml.Node, msg string) error { return &Error{Line: n.Line, Column: n.Column, Msg: msg} }

// depthLimit limits the nesting while the document is parsed, so that the parser never builds a tree that is rejected later.
func depthLimit(depth int) func(int, *yaml.DepthContext) error {
	return func(n int, _ *yaml.DepthContext) error {
		if n > depth {
			return fmt.Errorf("nested more than %d levels deep", depth)
		}
		return nil
	}
}

// parseError returns an Error with the position where the parser stopped. When that is the end of the file, the position is the start of
// the unclosed construct, or else the end of the text.
func parseError(raw []byte, err error) error {
	e := &Error{Line: 1, Column: 1, Msg: "invalid YAML: " + strings.TrimSuffix(err.Error(), "."), Err: err}
	at, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return e
	}
	msg := at.Message
	e.Line, e.Column = max(at.Mark.Line, 1), max(at.Mark.Column, 1)
	if at.ContextMark.Line > 0 && at.ContextMark != at.Mark {
		msg += " " + at.ContextMsg
	}
	text := strings.TrimRight(string(raw), " \t\r\n")
	if last := 1 + strings.Count(text, "\n"); e.Line > last {
		e.Line, e.Column = last, max(1, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:]))
		if open := at.ContextMark; open.Line > 0 && open.Line <= last {
			e.Line, e.Column = open.Line, open.Column
		}
	}
	if strings.HasPrefix(msg, "found character that") {
		msg = strings.Replace(msg, "character", fmt.Sprintf("character %q", runeAt(text, e.Line, e.Column)), 1)
	}
	e.Msg = "invalid YAML: " + msg
	return e
}

// runeAt returns the character at a position that counts from 1, or 0 when the position is outside the text.
func runeAt(text string, line, column int) rune {
	for l := range strings.Lines(text) {
		line--
		if chars := []rune(l); line == 0 && column <= len(chars) {
			return chars[column-1]
		}
	}
	return 0
}
