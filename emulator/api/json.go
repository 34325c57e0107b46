package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
)

const (
	maxJSON     = 1 << 20 // largest request body, in bytes
	maxDepth    = 32      // deepest nesting of a request body
	jsonTimeout = 30 * time.Second
)

// writeJSON writes a response with a JSON body.
func writeJSON(w http.ResponseWriter, status int, v any) {
	b := jsonBuffers.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= maxPooled {
			b.Reset()
			jsonBuffers.Put(b)
		}
	}()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a JSON type that can't be encoded is a bug
	}
	h := w.Header()
	h["Content-Type"] = typeJSON
	h["Content-Length"] = []string{strconv.Itoa(b.Len())}
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// jsonBuffers are reused, except buffers larger than maxKept. An http.ResponseWriter doesn't retain what is written to it.
var jsonBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const maxPooled = 1 << 20

// Header values shared by all responses. They are never modified.
var (
	typeJSON = []string{"application/json"}
	noSniff  = []string{"nosniff"}
)

// body is the JSON object of a request. Its getters record fields with a wrong type in wrong and first. A field that is null counts as
// absent. Unknown fields are ignored.
type body struct {
	members map[string]json.RawMessage
	wrong   input.FieldErrors // by field
	first   error             // error for the first wrong field
}

// readBody reads a request's JSON object. CodeInvalid, CodeTooLarge, CodeCanceled when it arrives too slowly.
func readBody(w http.ResponseWriter, req *http.Request) (*body, error) {
	const op = "readBody"
	raw, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxJSON))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, engine.Errorf(engine.CodeTooLarge, op, "The request body is larger than 1 MiB.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, engine.Errorf(engine.CodeCanceled, op, "The request body did not arrive in time.")
	case err != nil:
		return nil, engine.Errorf(engine.CodeInvalid, op, "The request body could not be read.").WithRule("body.malformed").Because(err)
	case !utf8.Valid(raw):
		return nil, engine.Errorf(engine.CodeInvalid, op, "The request body is not valid UTF-8.").WithRule("body.malformed").WithHint(uncompressed(req))
	}
	if err := checkJSON(raw); err != nil {
		return nil, err
	}
	b := &body{members: map[string]json.RawMessage{}, wrong: input.FieldErrors{}}
	if err := json.Unmarshal(raw, &b.members); err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The request body must be a JSON object.").WithRule("body.no-object").Because(err)
	}
	warnOfMembers(w, req, b)
	return b, nil
}

// uncompressed returns what to do about a body that is compressed, which only a header says; "" for others.
func uncompressed(req *http.Request) string {
	coding := req.Header.Get("Content-Encoding")
	if coding == "" {
		return ""
	}
	return fmt.Sprintf("Send it uncompressed: it has Content-Encoding: %.20q.", coding)
}

// checkJSON rejects what encoding/json accepts: deep nesting, duplicate fields, and data after the object.
func checkJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	type level struct {
		names map[string]bool // nil for an array
		key   bool            // the next string is a field name
	}
	var stack []level
	for first := true; first || len(stack) > 0; first = false {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) && first {
			return badBody("body.no-object", "is empty; it must be a JSON object")
		}
		if err != nil {
			return badBody("body.malformed", "is not valid JSON")
		}
		if first && tok != json.Delim('{') {
			return badBody("body.no-object", "must be a JSON object")
		}
		if d, ok := tok.(json.Delim); ok && (d == '}' || d == ']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if top := len(stack) - 1; top >= 0 && stack[top].names != nil {
			if name, ok := tok.(string); ok && stack[top].key {
				if stack[top].names[name] {
					return badBody("body.malformed", "has a duplicate field")
				}
				stack[top].names[name], stack[top].key = true, false
				continue
			}
			stack[top].key = true
		}
		switch tok {
		case json.Delim('{'):
			stack = append(stack, level{names: map[string]bool{}, key: true})
		case json.Delim('['):
			stack = append(stack, level{})
		}
		if len(stack) > maxDepth {
			return badBody("body.malformed", "is nested too deeply")
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badBody("body.no-object", "has unexpected data after the JSON object")
	}
	return nil
}

func badBody(rule engine.Rule, says string) error {
	return engine.Errorf(engine.CodeInvalid, "readBody", "The request body %s.", says).WithRule(rule)
}

func (b *body) get(name, kind string, v any) {
	raw, ok := b.members[name]
	if !ok || string(raw) == "null" {
		return
	}
	if err := json.Unmarshal(raw, v); err != nil {
		b.wrong[name] = []string{input.MsgInvalid}
		if b.first == nil {
			b.first = engine.Errorf(engine.CodeInvalid, "readBody", "%s must be %s.", name, kind).WithRule("body.wrong-type").Because(err)
		}
	}
}

func (b *body) string(name string) (v string) {
	b.get(name, "a string", &v)
	return v
}

// change returns the new value of a field: nil when it is absent, "" when it is null.
func (b *body) change(name string) *string {
	if _, ok := b.members[name]; !ok {
		return nil
	}
	v := b.string(name)
	return &v
}

func (b *body) strings(name string) []string {
	var v stringList
	b.get(name, "a list of strings", &v)
	return v
}

func (b *body) bool(name string) (v bool) {
	b.get(name, "true or false", &v)
	return v
}

func (b *body) int(name string) int64 {
	var v integer
	b.get(name, "a whole number", &v)
	return int64(v)
}

// stringList is a JSON list of strings without null.
type stringList []string

func (t *stringList) UnmarshalJSON(raw []byte) error {
	var list []*string
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	*t = make(stringList, 0, len(list))
	for _, s := range list {
		if s == nil {
			return errors.New("null is not a string")
		}
		*t = append(*t, *s)
	}
	return nil
}

// integer is a JSON number without a fraction, in any notation: 3, 3.0, 3e0.
type integer int64

func (i *integer) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		*i = integer(n)
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return errors.New("not a whole number")
	}
	*i = integer(f)
	return nil
}

// has reports whether a field is present and not null.
func (b *body) has(name string) bool {
	raw, ok := b.members[name]
	return ok && string(raw) != "null"
}
