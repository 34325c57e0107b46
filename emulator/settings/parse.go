package settings

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxLine  = 8 << 10 // bytes
	maxMarks = 100     // of - ? [ { & ! and : on a line of YAML: a parser could take minutes to refuse what is nested
)

// Parse reads YAML: one mapping of names to a text, a number, true, false, or a list of those, without anchors, aliases, tags and merge
// keys, and with each name once. An empty file has no settings. path is told in errors. CodeInvalid.
func Parse(path string, raw []byte) (all []Setting, err error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if err := readable(path, raw); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil { // a defect of the parser is an error of the file that it can't read
			all, err = nil, Wrong(path, 1, "the YAML can't be read.").Because(fmt.Errorf("panic: %v", p))
		}
	}()
	f, err := parser.ParseBytes(raw, 0)
	if err != nil {
		return nil, broken(path, err)
	}
	var docs []ast.Node
	for _, d := range f.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		return nil, nil
	case 1:
		return mapping(path, docs[0])
	}
	return nil, Wrong(path, lineOf(docs[1].GetToken()), "one YAML document was expected, not %d.", len(docs))
}

// readable refuses what is too long, is no text, or might be too much for the parser.
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
		case marks(line) > maxMarks:
			return Wrong(path, n, "the line is too intricate for settings.")
		}
	}
	return nil
}

// marks counts what nests; dashes count where they begin entries, not inside words.
func marks(line []byte) (n int) {
	leading := true
	for i, c := range line {
		switch c {
		case '[', '{', '&', '!', ':', '?':
			n++
		case '-':
			if leading && i+1 < len(line) && line[i+1] == ' ' {
				n++
			}
		}
		leading = leading && (c == ' ' || c == '-')
	}
	return n
}

func broken(path string, err error) error {
	line, sentence := 1, err.Error()
	if located, ok := err.(yaml.Error); ok {
		line, sentence = lineOf(located.GetToken()), located.GetMessage()
	}
	sentence, _, _ = strings.Cut(sentence, "\n")
	if strings.Contains(sentence, "already defined") || strings.Contains(sentence, "duplicate") {
		return Wrong(path, line, "a name stands here that stood before.").WithHint("Give each setting once.").Because(err)
	}
	return Wrong(path, line, "the YAML is broken: %s.", strings.TrimSuffix(sentence, ".")).Because(err)
}

func lineOf(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 1
	}
	return max(t.Position.Line, 1)
}

// mapping makes settings of the file's mapping.
func mapping(path string, n ast.Node) ([]Setting, error) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return nil, Wrong(path, lineOf(n.GetToken()), "a mapping of settings was expected.").WithHint("Write lines such as “clock: steps”.")
	}
	all := make([]Setting, 0, len(pairs))
	lines := map[string]int{}
	for _, p := range pairs {
		s, err := setting(path, p)
		if err != nil {
			return nil, err
		}
		if first, ok := lines[s.Name]; ok {
			return nil, Wrong(path, s.Line, "%s is there twice; the first one is on line %d.", s.Name, first)
		}
		lines[s.Name] = s.Line
		all = append(all, s)
	}
	return all, nil
}

// setting makes one of a name and what stands behind it.
func setting(path string, p *ast.MappingValueNode) (s Setting, err error) {
	key, ok := p.Key.(*ast.StringNode)
	s.Line = lineOf(p.Key.GetToken())
	if !ok || p.Key.IsMergeKey() {
		return s, Wrong(path, s.Line, "the name of a setting was expected.")
	}
	s.Name = key.Value
	list, ok := p.Value.(*ast.SequenceNode)
	if !ok {
		v, err := value(path, s.Name, p.Value)
		s.Values = []Value{v}
		return s, err
	}
	s.List, s.Values = true, []Value{}
	for _, item := range list.Values {
		v, err := value(path, s.Name, item)
		if err != nil {
			return s, err
		}
		s.Values = append(s.Values, v)
	}
	return s, nil
}

// value makes one of a scalar.
func value(path, name string, n ast.Node) (Value, error) {
	line := 1
	if n != nil {
		line = lineOf(n.GetToken())
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return Value{n.Value, line, Text}, nil
	case *ast.LiteralNode:
		return Value{n.Value.Value, line, Text}, nil
	case *ast.BoolNode:
		return Value{n.Token.Value, line, Bool}, nil
	case *ast.IntegerNode:
		return Value{n.Token.Value, line, Number}, nil
	case *ast.FloatNode:
		return Value{n.Token.Value, line, Number}, nil
	case *ast.NullNode:
		return Value{}, Wrong(path, line, "nothing stands behind %s.", name).WithHint("Give it a value, or leave the line out for the default.")
	}
	return Value{}, Wrong(path, line, "%s must be a text, a number, true, false, or a list of those.", name)
}
