package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mostItems bounds what is read of a list.
const mostItems = 10_000

// items reads a list of JSON objects out of an answer: the first list of objects in it, whatever object or text it stands in; where there
// is none, the objects that follow one another. What comes behind is left out, and so is an object that is broken off, or isn't of
// the type. ok is false when there is neither a list nor an object.
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

// listAt returns where a list begins whose first item is an object, or that is empty; -1 where none does.
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

// read returns the objects that a decoder has, up to the first that is no JSON.
func read[T any](d *json.Decoder) (list []T) {
	for len(list) < mostItems && d.More() {
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

// number is a whole number as models write it: 3, 3.0, "3", "@3"; null is 0.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `" @#`)
	if text == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > math.MaxInt32 {
		return fmt.Errorf("%.20q is no number", text)
	}
	*n = number(math.Round(f))
	return nil
}
