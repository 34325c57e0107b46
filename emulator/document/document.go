// Package document reads the YAML that people write for Soundstage: fixtures and config files. [Parse] returns the tree of one document,
// in which every node has its line and column, and an [Error] has them too.
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

// Error is what is wrong with a document. Line and Column count from 1; Msg is a sentence without its full stop.
type Error struct {
	Line, Column int
	Msg          string
	Err          error // of the parser; nil when the YAML is well formed but not plain
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg) }

func (e *Error) Unwrap() error { return e.Err }

// Parse reads plain YAML: one document without anchors, aliases, tags and merge keys, nested at most depth levels deep. The names in its
// mappings are scalars, each there once. Parse returns nil for a file that is empty or has only comments. The error is an *Error.
func Parse(raw []byte, depth int) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(raw), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(atMost(depth)))))
	if err != nil {
		return nil, broken(raw, err)
	}
	var root *yaml.Node
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); errors.Is(err, io.EOF) {
			return root, nil
		} else if err != nil {
			return nil, broken(raw, err)
		}
		if len(doc.Content) == 0 || empty(doc.Content[0]) {
			continue
		}
		if root != nil {
			return nil, wrong(doc.Content[0], "one YAML document was expected; another one begins here")
		}
		root = doc.Content[0]
		if err := plain(root); err != nil {
			return nil, err
		}
	}
}

// empty reports whether a document is only its separator or comments.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.ShortTag() == "!!null"
}

// plain refuses anchors, aliases, tags, merge keys, and names that are no scalar or are there twice.
func plain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.ShortTag() == "!!merge" {
		return wrong(n, "plain YAML was expected, without anchors, aliases, tags and merge keys")
	}
	lines := map[string]int{}
	for i, child := range n.Content {
		if err := plain(child); err != nil {
			return err
		}
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			continue
		}
		if child.Kind != yaml.ScalarNode || child.ShortTag() == "!!null" {
			return wrong(child, "a name was expected")
		}
		if first, twice := lines[child.Value]; twice {
			return wrong(child, fmt.Sprintf("%s is there twice; the first one is on line %d", child.Value, first))
		}
		lines[child.Value] = child.Line
	}
	return nil
}

func wrong(n *yaml.Node, msg string) error { return &Error{Line: n.Line, Column: n.Column, Msg: msg} }

// atMost limits how deep a document is nested while it is read, so that the parser never builds what is refused afterwards.
func atMost(depth int) func(int, *yaml.DepthContext) error {
	return func(n int, _ *yaml.DepthContext) error {
		if n > depth {
			return fmt.Errorf("it is nested deeper than %d levels", depth)
		}
		return nil
	}
}

// broken says where the parser stopped and why. When that is the end of the file, it says where what is still open begins, or else
// where the text ends.
func broken(raw []byte, err error) error {
	e := &Error{Line: 1, Column: 1, Msg: "the YAML is broken: " + strings.TrimSuffix(err.Error(), "."), Err: err}
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
	e.Msg = "the YAML is broken: " + msg
	return e
}

// runeAt returns the character at a place, which counts from 1, or 0.
func runeAt(text string, line, column int) rune {
	for l := range strings.Lines(text) {
		line--
		if chars := []rune(l); line == 0 && column <= len(chars) {
			return chars[column-1]
		}
	}
	return 0
}
