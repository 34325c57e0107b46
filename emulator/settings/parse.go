package settings

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/internal/document"
)

const (
	maxLine    = 8 << 10 // bytes
	maxNesting = 8
)

// Parse reads one YAML mapping. Each value is a string, a number, a boolean, or a list of those; names must be unique. Anchors, aliases,
// tags, and merge keys are not supported. An empty file has no settings. Errors start with path and the line; their code is CodeInvalid.
func Parse(path string, raw []byte) ([]Setting, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if err := checkText(path, raw); err != nil {
		return nil, err
	}
	root, err := document.Parse(raw, maxNesting)
	if wrong, ok := errors.AsType[*document.Error](err); ok {
		return nil, Errorf(path, wrong.Line, "%s.", wrong.Msg).Because(wrong.Err)
	}
	if err != nil || root == nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, Errorf(path, root.Line, "expected a mapping of settings.").WithHint("Write lines such as “clock: steps”.")
	}
	all := make([]Setting, 0, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		s, err := parseSetting(path, root.Content[i], root.Content[i+1])
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// checkText rejects files and lines that are too long or are not UTF-8.
func checkText(path string, raw []byte) error {
	if len(raw) > maxFile {
		return Errorf(path, 1, "the file is longer than %d KiB.", maxFile>>10)
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		switch {
		case !utf8.Valid(line):
			return Errorf(path, n, "the line is not valid UTF-8.")
		case len(line) > maxLine:
			return Errorf(path, n, "the line is longer than %d bytes.", maxLine)
		}
	}
	return nil
}

// parseSetting converts a key and its node to a Setting.
func parseSetting(path string, key, n *yaml.Node) (Setting, error) {
	if key.ShortTag() != "!!str" {
		return Setting{}, Errorf(path, key.Line, "expected the name of a setting.")
	}
	s := Setting{Name: key.Value, Line: key.Line}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		s.List, s.Values, items = true, []Value{}, n.Content
	}
	for _, item := range items {
		v, err := parseValue(path, s.Name, item)
		if err != nil {
			return Setting{}, err
		}
		s.Values = append(s.Values, v)
	}
	return s, nil
}

// parseValue converts a scalar node to a Value. A date is a string.
func parseValue(path, name string, n *yaml.Node) (Value, error) {
	v := Value{Text: n.Value, Line: n.Line, Kind: Text}
	if n.Kind != yaml.ScalarNode {
		return Value{}, Errorf(path, n.Line, "%s must be a string, a number, true, false, or a list of those.", name)
	}
	switch n.ShortTag() {
	case "!!null":
		return Value{}, Errorf(path, n.Line, "%s has no value.", name).WithHint("Give it a value, or remove the line to use the default.")
	case "!!bool":
		v.Kind = Bool
	case "!!int", "!!float":
		v.Kind = Number
	}
	return v, nil
}
