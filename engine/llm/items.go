package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxItems limits the length of a list.
const maxItems = 10_000

// items parses a list of JSON objects in an answer: the first list of objects anywhere in the text, or else consecutive
// objects. It ignores what follows, and objects that are truncated or of another type. ok is false if there is neither a
// list nor an object.
func items[T any](text string) (list []T, ok bool) {
	if at := listAt(text); at >= 0 {
		d := json.NewDecoder(strings.NewReader(text[at:]))
		if _, err := d.Token(); err != nil {
			return nil, false
		}
		return read[T](d), true
	}
	if at := strings.IndexByte(text, '{'); at >= 0 {
		list = read[T](json.NewDecoder(strings.NewReader(text[at:])))
	}
	return list, len(list) > 0
}

// listAt returns the offset of the first list that is empty or begins with an object, or -1.
func listAt(text string) int {
	for at := range len(text) {
		if text[at] != '[' {
			continue
		}
		next := strings.TrimLeft(text[at+1:], " \n")
		if strings.HasPrefix(next, "{") || strings.HasPrefix(next, "]") {
			return at
		}
	}
	return -1
}

// read decodes objects up to the first invalid JSON.
func read[T any](d *json.Decoder) (list []T) {
	for len(list) < maxItems && d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return list
		}
		var v T
		if err := json.Unmarshal(raw, &v); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// number is an integer in the forms that models write: 3, 3.0, "3", or "@3". null is 0.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `" @#`)
	if text == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > math.MaxInt32 {
		return fmt.Errorf("%.20q is not a number", text)
	}
	*n = number(math.Round(f))
	return nil
}
