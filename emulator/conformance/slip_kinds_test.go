//go:build !race

package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// slips returns mistakes that a server could make in a response.
func (x exchange) slips() (all []rated) {
	add := func(score int, format string, args ...any) {
		all = append(all, rated{slip{of: x.of, does: fmt.Sprintf(format, args...)}, score})
	}
	req, status := x.resp.Request, x.resp.StatusCode
	if req.Method == http.MethodGet {
		for name := range req.URL.Query() {
			add(8, "ignore %s", name)
		}
	}
	if status >= 400 && req.Header.Get("Authorization") != "Bearer sk_sandbox_platform" {
		add(6, "as platform")
	}
	var v map[string]any
	if json.Unmarshal(x.body, &v) == nil {
		memberSlips(v, "", add)
	}
	for _, name := range []string{"Accept-Ranges", "Allow", "Content-Disposition", "Content-Type", "ETag", "Location"} {
		if x.resp.Header.Get(name) != "" {
			add(0, "header %s", name)
		}
	}
	if status < 400 && len(x.body) > 0 {
		add(-1, "body")
	}
	others := []int{200, 201, 202, 404}
	if status < 400 {
		others = []int{400, 404, 403, 200}
	}
	for i, other := range others {
		if other != status {
			add(-3-i, "status %d", other)
		}
	}
	return all
}

// memberSlips adds mistakes about each member of an object. path is its own, ending with a dot.
func memberSlips(object map[string]any, path string, add func(score int, format string, args ...any)) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := path + name
		add(2, "drop %s", at)
		for i, other := range otherValues(object[name]) {
			add(4-min(i, 1), "set %s %s", at, other)
		}
		switch inner := object[name].(type) {
		case map[string]any:
			memberSlips(inner, at+".", add)
		case []any:
			add(3, "reverse %s", at)
			add(2, "repeat %s", at)
			if len(inner) > 0 {
				if item, ok := inner[0].(map[string]any); ok {
					memberSlips(item, at+".*.", add)
				}
			}
		}
	}
}

// otherValues returns wrong values for a member, as JSON: first one of the same type.
func otherValues(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{`"other"`, `7`, `null`, `""`, `"error"`, `"failed"`, `"completed"`, `"queued"`}
	case float64:
		return []string{`1000000`, fmt.Sprintf(`"%v"`, v), `-1`}
	case bool:
		return []string{fmt.Sprint(!v), fmt.Sprintf(`"%v"`, v)}
	case map[string]any:
		return []string{`{}`, `null`}
	case []any:
		return []string{`[]`, `[{}]`, `{}`, `["other"]`, `[null]`}
	}
	return []string{`7`, `"other"`}
}
