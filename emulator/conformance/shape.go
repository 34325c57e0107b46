package conformance

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// shape is a named condition on a JSON value.
type shape struct {
	name string
	fits func(any) bool
}

var (
	text    = shape{"a string", func(v any) bool { _, ok := v.(string); return ok }}
	filled  = shape{"a non-empty string", func(v any) bool { s, ok := v.(string); return ok && strings.TrimSpace(s) != "" }}
	boolean = shape{"a boolean", func(v any) bool { _, ok := v.(bool); return ok }}
	array   = shape{"an array", func(v any) bool { _, ok := v.([]any); return ok }}
	object  = shape{"an object", func(v any) bool { _, ok := v.(map[string]any); return ok }}
	null    = shape{"null", func(v any) bool { return v == nil }}
	number  = shape{"a number", func(v any) bool { _, ok := v.(json.Number); return ok }}
	integer = shape{"an integer", func(v any) bool {
		n, ok := v.(json.Number)
		_, err := n.Int64()
		return ok && err == nil
	}}
	stamp = shape{"a timestamp (ISO 8601, UTC)", func(v any) bool {
		s, _ := v.(string)
		t, err := time.Parse(time.RFC3339, s)
		_, offset := t.Zone()
		return err == nil && offset == 0
	}}
	seconds = shape{"a timestamp with whole seconds and Z", func(v any) bool {
		s, _ := v.(string)
		const layout = "2006-01-02T15:04:05Z"
		_, err := time.Parse(layout, s)
		return err == nil && len(s) == len(layout) // Parse accepts a fraction of a second
	}}
	uuid     = like("a lower-case UUID", `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	address  = like("an http or https URL", `^https?://[^\s]+$`)
	language = oneOf("en", "de", "es", "fr", "hi", "id", "it", "ja", "ko", "nl", "no", "pl", "pt", "ru", "sv", "tr", "uk", "zh")
)

// orNull accepts null or the shape s.
func orNull(s shape) shape {
	return shape{s.name + " or null", func(v any) bool { return v == nil || s.fits(v) }}
}

// like accepts a string that matches a pattern.
func like(name, pattern string) shape {
	re := lazyregexp.New(pattern)
	return shape{name, func(v any) bool { s, ok := v.(string); return ok && re.MatchString(s) }}
}

// oneOf accepts one of several strings.
func oneOf(all ...string) shape {
	return shape{"one of " + strings.Join(all, ", "), func(v any) bool { s, ok := v.(string); return ok && slices.Contains(all, s) }}
}

// equal accepts a given string, or a number with that literal.
func equal(want string) shape {
	return shape{want, func(v any) bool {
		if n, ok := v.(json.Number); ok {
			return n.String() == want
		}
		s, ok := v.(string)
		return ok && s == want
	}}
}

// truth accepts a given boolean.
func truth(want bool) shape {
	return shape{map[bool]string{true: "true", false: "false"}[want], func(v any) bool { b, ok := v.(bool); return ok && b == want }}
}

// arrayOf accepts an array whose items all have the shape s.
func arrayOf(s shape) shape {
	return shape{"an array, each item " + s.name, func(v any) bool {
		l, ok := v.([]any)
		return ok && !slices.ContainsFunc(l, func(item any) bool { return !s.fits(item) })
	}}
}

// within accepts a number from lo to hi.
func within(lo, hi float64) shape {
	return shape{show(lo) + " to " + show(hi), func(v any) bool {
		n, ok := v.(json.Number)
		f, err := n.Float64()
		return ok && err == nil && f >= lo && f <= hi
	}}
}
