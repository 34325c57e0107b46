package drift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// schema is a schema of the contract. It has the keywords that the contract uses; a new one makes parsing fail.
type schema struct {
	types      []string // empty if any fits
	properties map[string]*schema
	required   []string
	closed     bool    // no other properties
	others     *schema // of other properties; nil if any fits
	items      *schema
	enum       []any
	oneOf      []*schema
	decidedBy  string // the property that names the branch of oneOf
	pattern    *regexp.Regexp
	format     string
	least      *float64 // of numbers
	most       *float64
	length     [2]int // least and most characters of a string, items of a list, or properties of an object
	unique     bool
	provenance string
}

// shapes are the keywords that say nothing about a value, or that statements check.
var shapes = []string{"description", "default", "example", "examples", "x-provenance", "dependentRequired", "title", "deprecated"}

// check adds how a value differs to the problems of a body. path leads to the value. source is the provenance of schemas without one.
func (s *schema) check(v any, path []string, source string, found *problems) {
	add := func(rule, expected string) {
		found.add(Problem{rule, pointer(path), cmp.Or(s.provenance, source), expected, show(v)})
	}
	switch {
	case len(s.oneOf) > 0:
		s.checkUnion(v, path, source, found)
		return
	case len(s.types) > 0 && !slices.ContainsFunc(s.types, func(t string) bool { return hasType(v, t) }):
		add(RuleType, strings.Join(s.types, " or "))
		return
	case v != nil && len(s.enum) > 0 && !slices.Contains(s.enum, v):
		add(RuleEnum, "one of "+list(s.enum))
		return
	}
	size := 0
	switch v := v.(type) {
	case string:
		size = utf8.RuneCountInString(v)
		if s.pattern != nil && !s.pattern.MatchString(v) {
			add(RuleValue, "a value that matches "+s.pattern.String())
		}
		if s.format == "date-time" {
			if _, err := time.Parse(time.RFC3339, v); err != nil {
				add(RuleValue, "a value of the format date-time")
			}
		}
	case float64:
		if s.least != nil && v < *s.least {
			add(RuleValue, fmt.Sprintf("a number of at least %v", *s.least))
		}
		if s.most != nil && v > *s.most {
			add(RuleValue, fmt.Sprintf("a number of at most %v", *s.most))
		}
	case []any:
		size = len(v)
		s.checkItems(v, path, source, found)
	case map[string]any:
		size = len(v)
		s.checkProperties(v, path, source, found)
	}
	if size < s.length[0] && v != nil {
		add(RuleValue, fmt.Sprintf("a length of at least %d", s.length[0]))
	}
	if s.length[1] > 0 && size > s.length[1] {
		add(RuleValue, fmt.Sprintf("a length of at most %d", s.length[1]))
	}
}

func (s *schema) checkItems(items []any, path []string, source string, found *problems) {
	for i, item := range items {
		if s.items != nil {
			s.items.check(item, join(path, strconv.Itoa(i)), source, found)
		}
		if s.unique && slices.ContainsFunc(items[:i], func(other any) bool { return reflect.DeepEqual(item, other) }) {
			found.add(Problem{RuleValue, pointer(path), cmp.Or(s.provenance, source), "a list without duplicates", show(item) + " twice"})
		}
	}
}

func (s *schema) checkProperties(object map[string]any, path []string, source string, found *problems) {
	for _, name := range s.required {
		if _, ok := object[name]; !ok {
			origin := cmp.Or(s.provenance, source)
			if p := s.properties[name]; p != nil {
				origin = cmp.Or(p.provenance, origin)
			}
			found.add(Problem{RuleMissing, pointer(join(path, name)), origin, "the member " + name, "no such member"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		p := cmp.Or(s.properties[name], s.others)
		switch {
		case p != nil:
			p.check(object[name], join(path, name), source, found)
		case s.closed: // nothing says that there are no more members
			found.add(Problem{RuleUnknown, pointer(join(path, name)), "assumed", "only the members of the contract", "the member " + name})
		}
	}
}

// checkUnion checks a value that must fit one branch. If it doesn't, the problems are those of the branch that it is meant for: the one that
// the discriminator names, else the only one that is an object.
func (s *schema) checkUnion(v any, path []string, source string, found *problems) {
	fits := 0
	for _, branch := range s.oneOf {
		if branch.fits(v) {
			fits++
		}
	}
	if fits == 1 {
		return
	}
	object, _ := v.(map[string]any)
	var meant []*schema
	for _, branch := range s.oneOf {
		if object == nil || !slices.Contains(branch.types, "object") {
			continue
		}
		if kind := branch.properties[s.decidedBy]; s.decidedBy == "" || kind != nil && slices.Contains(kind.enum, object[s.decidedBy]) {
			meant = append(meant, branch)
		}
	}
	if len(meant) == 1 && !meant[0].fits(v) {
		meant[0].check(v, path, source, found)
		return
	}
	found.add(Problem{RuleValue, pointer(path), cmp.Or(s.provenance, source), "a value of one of the documented shapes", show(v)})
}

// fits reports whether a value has no problem.
func (s *schema) fits(v any) bool {
	var found problems
	s.check(v, nil, "", &found)
	return len(found.all) == 0
}

// fitsText is fits for the text of a parameter or a header.
func (s *schema) fitsText(text string) bool {
	var v any = text
	switch {
	case slices.Contains(s.types, "integer"), slices.Contains(s.types, "number"):
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false
		}
		v = n
	case slices.Contains(s.types, "boolean"):
		if text != "true" && text != "false" {
			return false
		}
		v = text == "true"
	case !slices.Contains(s.types, "string"):
		return true
	}
	return s.fits(v)
}

// hasType reports whether a value of encoding/json has a type of JSON Schema.
func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	default:
		return name == "object"
	}
}

// maxProblems is the most problems of one body.
const maxProblems = 100

// problems are those of a body, each kind once for each place.
type problems struct {
	all  []Problem
	seen map[string]bool
}

func (p *problems) add(found Problem) {
	key := found.Rule + found.Where
	if p.seen[key] || len(p.all) == maxProblems {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[key], p.all = true, append(p.all, found)
}

func join(path []string, part string) []string { return append(path[:len(path):len(path)], part) }

// pointer returns a JSON pointer with * for the indexes of arrays, so that one mistake in a list is one difference.
func pointer(path []string) string {
	var b strings.Builder
	for _, part := range path {
		if _, err := strconv.Atoi(part); err == nil {
			part = "*"
		}
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
	}
	return b.String()
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// show formats a value, cut to 200 bytes.
func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte(fmt.Sprint(v))
	}
	if len(b) > 200 {
		return strings.ToValidUTF8(string(b[:200]), "") + "…"
	}
	return string(b)
}
