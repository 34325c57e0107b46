package render

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
	"github.com/soundstage-dev/soundstage/internal/document"
)

// Limits of a style, in bytes.
const (
	maxStyle   = 16 << 20 // of a style's text, with its pictures and font
	maxLogo    = 1 << 20
	maxPicture = 4 << 20
	maxFont    = 8 << 20
)

// ParseStyle reads a style from YAML or JSON. Members that are missing have the values of the preset that the member preset names, or
// else of the default style. Errors are CodeInvalid: unknown members, wrong types and values, with their line; and files, since a style
// of unknown origin must not read the files of this machine: LoadStyle reads them.
func ParseStyle(text []byte) (Style, error) {
	s, err := parseStyle(text, Preset)
	if err != nil {
		return Style{}, err
	}
	for member, file := range map[string]string{"font": s.Font.File, "logo": s.Logo.File, "background": s.Background.File} {
		if file != "" {
			return Style{}, invalidStyle("The style's %s.file names a file (%.50q), which is not read from here.", member, file).
				WithHint("Put the file into " + member + ".data, in base64.")
		}
	}
	return s, s.Validate()
}

// LoadStyle reads a style from a YAML or JSON file, with the font and the pictures that it names. The result contains them.
func LoadStyle(path string) (Style, error) {
	text, err := readLimited(path, maxStyle)
	if err != nil {
		return Style{}, invalidStyle("The style can't be read: %s.", fault.Reason(err)).Because(err)
	}
	s, err := parseStyle(text, Preset)
	if err != nil {
		return Style{}, err
	}
	for _, f := range []struct {
		member string
		file   *string
		data   *[]byte
		limit  int64
	}{{"font", &s.Font.File, &s.Font.Data, maxFont}, {"logo", &s.Logo.File, &s.Logo.Data, maxLogo}, {"background", &s.Background.File, &s.Background.Data, maxPicture}} {
		if *f.file == "" {
			continue
		}
		name := *f.file
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		if *f.data, err = readLimited(name, f.limit); err != nil {
			return Style{}, invalidStyle("The style's %s.file %.200q can't be used: %s.", f.member, *f.file, fault.Reason(err)).Because(err)
		}
		*f.file = ""
	}
	return s, s.Validate()
}

// tooLargeError says that a file exceeds a limit.
type tooLargeError struct{ limit int64 }

func (e tooLargeError) Error() string { return fmt.Sprintf("it is larger than %d KiB", e.limit>>10) }

// readLimited reads a regular file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > limit:
		return nil, tooLargeError{limit}
	}
	b, err := os.ReadFile(path)
	if err == nil && int64(len(b)) > limit {
		return nil, tooLargeError{limit}
	}
	return b, err
}

func invalidStyle(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "Style", format, args...)
}

// parseStyle reads a style, and checks names and types of its members. preset returns the style that the member preset names.
func parseStyle(text []byte, preset func(name string) (Style, error)) (Style, error) {
	if len(text) > maxStyle {
		return Style{}, invalidStyle("The style is larger than %d MiB.", maxStyle>>20)
	}
	const depth = 5
	root, err := document.Parse(plainJSON(text), depth)
	if err != nil {
		fail := invalidStyle("The style isn't valid YAML or JSON: line %s.", err)
		if bytes.Contains(text, []byte(": #")) {
			return Style{}, fail.WithHint(`Put colours in quotes, such as "#ffd54a": in YAML, # begins a comment.`)
		}
		return Style{}, fail
	}
	s := DefaultStyle()
	if root == nil {
		return s, nil
	}
	if root.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(root.Content); i += 2 {
			if root.Content[i].Value != "preset" {
				continue
			}
			if s, err = preset(root.Content[i+1].Value); err != nil {
				return Style{}, err
			}
			root.Content = append(root.Content[:i:i], root.Content[i+2:]...)
			break
		}
	}
	return s, fill(reflect.ValueOf(&s).Elem(), root, "")
}

// plainJSON rewrites JSON so that it is YAML, too: without tabs and without escapes for halves of characters. Other text stays as it is.
func plainJSON(text []byte) []byte {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || !json.Valid(text) || !bytes.ContainsAny(text, "\t\\") {
		return text
	}
	decoder, v := json.NewDecoder(bytes.NewReader(text)), any(nil)
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return text
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return text
	}
	return b.Bytes()
}

// fill sets v from a node. member is the path of v in the style.
func fill(v reflect.Value, n *yaml.Node, member string) error {
	if v.Kind() == reflect.Struct {
		return fillMembers(v, n, member)
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
		return fillList(v, n, member)
	}
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode {
		return wrongType(n, member, v)
	}
	switch {
	case v.Kind() == reflect.Slice && tag == "!!str":
		b, err := base64.StdEncoding.DecodeString(n.Value)
		if err != nil {
			return wrongType(n, member, v)
		}
		v.SetBytes(b)
	case v.Kind() == reflect.Slice && tag == "!!null", v.Kind() == reflect.String && tag == "!!null":
		v.SetZero()
	case v.Kind() == reflect.String && tag == "!!str":
		v.SetString(n.Value)
	case v.Kind() == reflect.Bool && tag == "!!bool":
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case v.Kind() == reflect.Int && tag == "!!int":
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			return wrongType(n, member, v)
		}
		v.SetInt(int64(i))
	case v.Kind() == reflect.Float64 && (tag == "!!int" || tag == "!!float"):
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return wrongType(n, member, v)
		}
		v.SetFloat(f)
	default:
		return wrongType(n, member, v)
	}
	return nil
}

func fillMembers(v reflect.Value, n *yaml.Node, member string) error {
	if n.Kind != yaml.MappingNode {
		return wrongType(n, member, v)
	}
	fields, names := map[string]reflect.Value{}, []string{}
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		fields[name], names = v.Field(i), append(names, name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		field, known := fields[key.Value]
		if !known {
			return unknownMember(key, member, names)
		}
		if err := fill(field, n.Content[i+1], strings.TrimPrefix(member+"."+key.Value, ".")); err != nil {
			return err
		}
	}
	return nil
}

// maxListed limits lists of a style while it is parsed.
const maxListed = 100

func fillList(v reflect.Value, n *yaml.Node, member string) error {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		v.SetZero()
		return nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) > maxListed {
		return wrongType(n, member, v)
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		if err := fill(list.Index(i), item, fmt.Sprintf("%s[%d]", member, i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func unknownMember(key *yaml.Node, member string, names []string) error {
	what := "The style"
	if member != "" {
		what += "'s " + member
	} else {
		names = append([]string{"preset"}, names...)
	}
	err := invalidStyle("%s has no member %.50q (line %d).", what, key.Value, key.Line)
	if meant := didyoumean.Suggest(key.Value, names); meant != "" {
		return err.WithHint("Did you mean " + meant + "?")
	}
	return err.WithHint("It may have " + alternatives(names) + ".")
}

// wrongType says what a member must be.
func wrongType(n *yaml.Node, member string, v reflect.Value) error {
	must := map[reflect.Kind]string{
		reflect.Struct: "a mapping", reflect.String: "text", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Float64: "a number",
	}[v.Kind()]
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		must = "a file in base64"
	case v.Kind() == reflect.Slice:
		must = fmt.Sprintf("a list of at most %d", maxListed)
	}
	got := map[yaml.Kind]string{yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list"}[n.Kind]
	if got == "" {
		got = fmt.Sprintf("%.50q", n.Value)
	}
	if v.Kind() == reflect.String && n.Kind == yaml.ScalarNode {
		return invalidStyle("The style's %s must be text, not %s (line %d).", member, got, n.Line).WithHint("Put it in quotes.")
	}
	if member == "" {
		return invalidStyle("A style must be a mapping, not %s.", got)
	}
	return invalidStyle("The style's %s must be %s, not %s (line %d).", member, must, got, n.Line)
}
