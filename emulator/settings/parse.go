package settings

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/emulator/document"
)

const (
	maxLine    = 8 << 10 // bytes
	maxNesting = 8
)

// Parse reads YAML: one mapping of names to a text, a number, true, false, or a list of those, without anchors, aliases, tags and merge
// keys, and with each name once. An empty file has no settings. path is told in errors. CodeInvalid.
func Parse(path string, raw []byte) ([]Setting, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if err := readable(path, raw); err != nil {
		return nil, err
	}
	root, err := document.Parse(raw, maxNesting)
	if wrong, ok := errors.AsType[*document.Error](err); ok {
		return nil, Wrong(path, wrong.Line, "%s.", wrong.Msg).Because(wrong.Err)
	}
	if err != nil || root == nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, Wrong(path, root.Line, "a mapping of settings was expected.").WithHint("Write lines such as “clock: steps”.")
	}
	all := make([]Setting, 0, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		s, err := setting(path, root.Content[i], root.Content[i+1])
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// readable refuses what is too long or is no text.
func readable(path string, raw []byte) error {
	if len(raw) > maxFile {
		return Wrong(path, 1, "the file is longer than %d KiB.", maxFile>>10)
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		switch {
		case !utf8.Valid(line):
			return Wrong(path, n, "the line is not valid UTF-8.")
		case len(line) > maxLine:
			return Wrong(path, n, "the line is longer than %d bytes.", maxLine)
		}
	}
	return nil
}

// setting makes one of a name and what stands behind it.
func setting(path string, key, n *yaml.Node) (Setting, error) {
	if key.ShortTag() != "!!str" {
		return Setting{}, Wrong(path, key.Line, "the name of a setting was expected.")
	}
	s := Setting{Name: key.Value, Line: key.Line}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		s.List, s.Values, items = true, []Value{}, n.Content
	}
	for _, item := range items {
		v, err := value(path, s.Name, item)
		if err != nil {
			return Setting{}, err
		}
		s.Values = append(s.Values, v)
	}
	return s, nil
}

// value makes one of a scalar. A date is a text.
func value(path, name string, n *yaml.Node) (Value, error) {
	v := Value{Text: n.Value, Line: n.Line, Kind: Text}
	if n.Kind != yaml.ScalarNode {
		return Value{}, Wrong(path, n.Line, "%s must be a text, a number, true, false, or a list of those.", name)
	}
	switch n.ShortTag() {
	case "!!null":
		return Value{}, Wrong(path, n.Line, "nothing stands behind %s.", name).WithHint("Give it a value, or leave the line out for the default.")
	case "!!bool":
		v.Kind = Bool
	case "!!int", "!!float":
		v.Kind = Number
	}
	return v, nil
}
