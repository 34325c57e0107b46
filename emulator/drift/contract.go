package drift

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Exchange is a request and its response, as far as a document says something about them.
type Exchange struct {
	Op       string // operation ID; "" for a path and method that the document doesn't have
	Method   string
	Query    url.Values
	SentType string // Content-Type of the request
	Sent     []byte // body of the request, nil if it isn't known
	Status   int
	Header   http.Header
	Body     []byte // body of the response, nil if it isn't known
}

// Problem is a difference between an exchange and the document.
type Problem struct {
	Rule       string `json:"rule"`            // one of the Rule constants
	Where      string `json:"where,omitempty"` // JSON pointer into the body with * for indexes, or the name of a header or parameter
	Provenance string `json:"provenance"`      // of the broken part: specified, documented, or assumed
	Expected   string `json:"expected"`
	Got        string `json:"got"`
}

// The rules of a Problem.
const (
	RuleOperation   = "operation"      // the document doesn't have the operation, but the service does
	RuleStatus      = "status"         // the document doesn't have the status
	RuleContentType = "content-type"   // the document has another type for the status
	RuleHeader      = "header"         // a required header is missing, or has another form
	RuleJSON        = "json"           // the body is not JSON
	RuleMissing     = "missing member" // a required member is missing
	RuleUnknown     = "unknown member" // the document doesn't have the member
	RuleType        = "type"           // a value has another type
	RuleEnum        = "enum"           // a value is not one of the list
	RuleValue       = "value"          // a value has another form or is out of range
	RuleAccepted    = "accepted"       // the service accepted a request that the document doesn't allow
)

// document is the contract.
type document struct{ operations map[string]*operation }

// operation is an operation of the contract.
type operation struct {
	query     []field
	body      *schema // of JSON; nil if it takes none
	responses map[int]*response
}

// response is what the contract says about a status.
type response struct {
	headers    []field
	content    map[string]*schema // by media type; nil for a type without a schema
	provenance string
	stated     bool // the provenance is the response's own
}

// field is a parameter of the query, or a header.
type field struct {
	name       string
	required   bool
	schema     *schema // nil if any value fits
	provenance string
}

// unknownStatuses are the statuses of undocumented paths and methods.
var unknownStatuses = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}

// compare returns how an exchange differs from the contract. An undocumented path may get the statuses of unknown paths, and an invalid
// request may get any documented 4xx.
func (d *document) compare(x Exchange) []Problem {
	op := d.operations[x.Op]
	if op == nil {
		if x.Status >= 500 || slices.Contains(unknownStatuses, x.Status) {
			return nil
		}
		return []Problem{{Rule: RuleOperation, Provenance: "assumed", Expected: "404 or 405, because the contract has no such operation", Got: strconv.Itoa(x.Status)}}
	}
	problems := op.compareResponse(x)
	if x.Status >= 200 && x.Status < 300 {
		problems = append(problems, op.accepted(x)...)
	}
	return problems
}

// compareResponse compares the response.
func (op *operation) compareResponse(x Exchange) []Problem {
	r := op.responses[x.Status]
	if r == nil {
		return []Problem{{Rule: RuleStatus, Provenance: op.provenanceOfClass(x.Status / 100), Expected: "one of " + op.statuses(), Got: strconv.Itoa(x.Status)}}
	}
	problems := r.compareHeaders(x.Header)
	if x.Method == http.MethodHead || len(r.content) == 0 {
		return problems
	}
	got := x.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(got)
	schema, ok := r.content[kind]
	if !ok {
		expected := strings.Join(slices.Sorted(maps.Keys(r.content)), " or ")
		return append(problems, Problem{RuleContentType, "Content-Type", r.provenance, expected, orNone(got)})
	}
	if kind != "application/json" || x.Body == nil || schema == nil {
		return problems
	}
	return append(problems, compareJSON(schema, x.Body, r.provenance)...)
}

// accepted compares a request that the service accepted.
func (op *operation) accepted(x Exchange) (problems []Problem) {
	if strings.HasSuffix(x.Op, "Object") { // signatures are in the query
		return nil
	}
	for _, p := range op.query {
		switch values, sent := x.Query[p.name]; {
		case !sent && p.required:
			problems = append(problems, Problem{RuleAccepted, p.name, p.provenance, "a 4xx, because the parameter " + p.name + " is missing", strconv.Itoa(x.Status)})
		case sent && p.schema != nil && !p.schema.fitsText(values[0]):
			problems = append(problems, Problem{RuleAccepted, p.name, p.provenance, fmt.Sprintf("a 4xx, because %s is %s", p.name, show(values[0])), strconv.Itoa(x.Status)})
		}
	}
	if op.body == nil || len(x.Sent) == 0 {
		return problems
	}
	for _, p := range compareJSON(op.body, x.Sent, "assumed") {
		where := p.Where
		if where == "" {
			where = "body"
		}
		expected := fmt.Sprintf("a 4xx, because of the request's %s: expected %s, got %s", where, p.Expected, p.Got)
		problems = append(problems, Problem{RuleAccepted, p.Where, p.Provenance, expected, strconv.Itoa(x.Status)})
	}
	return problems
}

// compareHeaders compares the headers that the contract describes.
func (r *response) compareHeaders(got http.Header) (problems []Problem) {
	for _, h := range r.headers {
		name, values := http.CanonicalHeaderKey(h.name), got.Values(h.name)
		switch {
		case strings.HasPrefix(name, "X-Soundstage-"):
		case len(values) == 0 && h.required:
			problems = append(problems, Problem{RuleHeader, name, h.provenance, "the header " + h.name, "none"})
		case len(values) > 0 && h.schema != nil && !h.schema.fitsText(values[0]):
			problems = append(problems, Problem{RuleHeader, name, h.provenance, "a header of type " + strings.Join(h.schema.types, " or "), show(values[0])})
		}
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Where, b.Where) })
	return problems
}

// compareJSON compares a JSON body with a schema.
func compareJSON(s *schema, body []byte, source string) []Problem {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return []Problem{{Rule: RuleJSON, Provenance: source, Expected: "JSON", Got: show(string(body))}}
	}
	var found problems
	s.check(value, nil, source, &found)
	return found.all
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// provenanceOfClass returns the strongest provenance of the documented statuses of a class, such as 2 for 2xx.
func (op *operation) provenanceOfClass(class int) string {
	best := "assumed"
	for status, r := range op.responses {
		if status/100 == class && r.stated && (r.provenance == "specified" || best == "assumed") {
			best = r.provenance
		}
	}
	return best
}

func (op *operation) statuses() string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(op.responses)) {
		all = append(all, strconv.Itoa(status))
	}
	return strings.Join(all, ", ")
}
