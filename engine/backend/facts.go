package backend

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// fact is one value of a request and its place, in words: "the form's field “model”", "the JSON at /messages/0/content".
type fact struct {
	place, value string
	hash         bool // the value is a length and a hash of bytes
}

// facts returns all values of a request in canonical order. The order of parameters, of JSON keys, and of form fields
// with different names doesn't matter, nor do white space and the boundary of a form.
func (s ExchangeRequest) facts(kind Kind) []fact {
	f := []fact{{place: "the kind", value: string(kind)}}
	add := func(place, value string) { f = append(f, fact{place: place, value: value}) }
	if kind == KindCommand {
		add("the program", s.Program)
		for i, arg := range s.Args {
			add("argument "+strconv.Itoa(i+1), arg)
		}
	} else {
		add("the method", s.Method)
		add("the path", s.Path)
		for _, name := range slices.Sorted(maps.Keys(s.Header)) {
			add("the header "+name, s.Header[name])
		}
		for _, name := range slices.Sorted(maps.Keys(s.Query)) {
			for i, value := range s.Query[name] {
				add("the parameter "+numbered(name, i), value)
			}
		}
	}
	return s.Body.facts(f)
}

// facts appends the values of a body.
func (p *Payload) facts(f []fact) []fact {
	if p == nil {
		return f
	}
	if p.Type != "" {
		f = append(f, fact{place: "the type of the body", value: p.Type})
	}
	switch {
	case p.JSON != nil:
		var v any
		dec := json.NewDecoder(bytes.NewReader(p.JSON))
		dec.UseNumber()
		_ = dec.Decode(&v) // already validated
		return jsonFacts(f, "", v)
	case p.Text != nil:
		return append(f, fact{place: "the text of the body", value: *p.Text})
	case p.Base64 != nil:
		return append(f, fact{place: "the bytes of the body", value: string(p.Base64)})
	case p.SHA256 != "":
		return append(f, fact{"the bytes of the body", hashed(p.Size, p.SHA256), true})
	}
	parts := slices.Clone(p.Parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.Name, b.Name) })
	seen := map[string]int{}
	for _, part := range parts {
		name := numbered(part.Name, seen[part.Name])
		seen[part.Name]++
		if part.Value != nil {
			f = append(f, fact{place: "the form's field " + name, value: *part.Value})
			continue
		}
		f = append(f, fact{place: "the name of the file " + name, value: part.File}, fact{place: "the type of the file " + name, value: part.Type},
			fact{"the bytes of the file " + name, hashed(part.Size, part.SHA256), true})
	}
	return f
}

// numbered quotes a name, and appends its number unless it is the first one.
func numbered(name string, i int) string {
	if i == 0 {
		return "“" + name + "”"
	}
	return fmt.Sprintf("“%s” (%d)", name, i+1)
}

func hashed(size int64, sum string) string { return bytesText(size) + ", SHA-256 " + sum }

// jsonFacts appends a fact for each leaf of a JSON value, with its JSON Pointer (RFC 6901).
func jsonFacts(f []fact, pointer string, v any) []fact {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			f = jsonFacts(f, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), v[key])
		}
		if len(v) > 0 {
			return f
		}
	case []any:
		for i, e := range v {
			f = jsonFacts(f, pointer+"/"+strconv.Itoa(i), e)
		}
		if len(v) > 0 {
			return f
		}
	}
	value, _ := json.Marshal(v)
	if text, ok := v.(string); ok {
		value = []byte(`"` + text) // unescaped, so that it can be compared; the quote distinguishes it from a number
	}
	return append(f, fact{place: strings.TrimSpace("the JSON at " + cmp.Or(pointer, "its root")), value: string(value)})
}

// key returns a string that is equal only for equal facts.
func key(facts []fact) string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "%d:%s%d:%s", len(f.place), f.place, len(f.value), f.value)
	}
	return b.String()
}

// matches reports whether a value matches the recorded one, in which Secret matches any text.
func matches(recorded, asked string) bool {
	pieces := strings.Split(recorded, Secret)
	if len(pieces) == 1 {
		return recorded == asked
	}
	rest, ok := strings.CutPrefix(asked, pieces[0])
	if !ok {
		return false
	}
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, ok := strings.Cut(rest, piece)
		if !ok {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, pieces[len(pieces)-1])
}
