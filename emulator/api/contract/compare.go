package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
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

// Compare returns how an exchange differs from the document. An undocumented path may get the statuses of unknown paths, and an invalid
// request may get any documented 4xx.
func (c *Contract) Compare(x Exchange) []Problem {
	op := c.operations[x.Op]
	if op == nil {
		if x.Status >= 500 || slices.Contains(unknownStatuses, x.Status) {
			return nil
		}
		return []Problem{{Rule: RuleOperation, Provenance: "assumed", Expected: "404 or 405, because the contract has no such operation", Got: strconv.Itoa(x.Status)}}
	}
	problems := op.response(x)
	if x.Status >= 200 && x.Status < 300 {
		problems = append(problems, op.accepted(x)...)
	}
	return problems
}

// operation is an operation of the document.
type operation struct{ *openapi3.Operation }

// operationsOf returns the operations of a document by ID. Constants become lists of one value, because the library checks const and
// dependentRequired only by another validator, which compiles the schema anew for each value. The statements check the latter.
func operationsOf(doc *openapi3.T) map[string]*operation {
	for _, ref := range doc.Components.Schemas {
		for _, p := range ref.Value.Properties {
			if p.Value != nil && p.Value.Const != nil && len(p.Value.Enum) == 0 {
				p.Value.Enum = []any{p.Value.Const}
			}
		}
	}
	all := map[string]*operation{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			all[op.OperationID] = &operation{op}
		}
	}
	return all
}

// response compares the response.
func (op *operation) response(x Exchange) []Problem {
	ref := op.Responses.Status(x.Status)
	if ref == nil || ref.Value == nil {
		return []Problem{{
			Rule: RuleStatus, Provenance: op.provenanceOfClass(x.Status / 100), Expected: "one of " + strings.Join(op.statuses(), ", "), Got: strconv.Itoa(x.Status),
		}}
	}
	r := ref.Value
	source := provenance(r.Extensions, "assumed")
	problems := headers(r, x.Header, source)
	if x.Method == http.MethodHead || len(r.Content) == 0 {
		return problems
	}
	got := x.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(got)
	media := r.Content.Get(kind)
	if media == nil {
		return append(problems, Problem{Rule: RuleContentType, Where: "Content-Type", Provenance: source, Expected: strings.Join(mediaTypes(r.Content), " or "), Got: orNone(got)})
	}
	if kind != "application/json" || x.Body == nil || media.Schema == nil {
		return problems
	}
	return append(problems, compareJSON(media.Schema.Value, x.Body, source, openapi3.VisitAsResponse())...)
}

// accepted compares a request that the service accepted.
func (op *operation) accepted(x Exchange) (problems []Problem) {
	for _, ref := range op.Parameters {
		p := ref.Value
		if p == nil || p.In != "query" || strings.HasSuffix(op.OperationID, "Object") {
			continue
		}
		source := provenance(p.Extensions, "assumed")
		switch values, sent := x.Query[p.Name]; {
		case !sent && p.Required:
			problems = append(problems, Problem{Rule: RuleAccepted, Where: p.Name, Provenance: source, Expected: "a 4xx, because the parameter " + p.Name + " is missing", Got: strconv.Itoa(x.Status)})
		case sent && p.Schema != nil && !parameterFits(p.Schema.Value, values[0]):
			problems = append(problems, Problem{Rule: RuleAccepted, Where: p.Name, Provenance: source,
				Expected: fmt.Sprintf("a 4xx, because %s is %s", p.Name, show(values[0])), Got: strconv.Itoa(x.Status)})
		}
	}
	if op.RequestBody == nil || op.RequestBody.Value == nil || x.Sent == nil || len(x.Sent) == 0 {
		return problems
	}
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return problems
	}
	for _, p := range compareJSON(media.Schema.Value, x.Sent, "assumed", openapi3.VisitAsRequest()) {
		p.Expected, p.Got = fmt.Sprintf("a 4xx, because of the request's %s: expected %s, got %s", orBody(p.Where), p.Expected, p.Got), strconv.Itoa(x.Status)
		p.Rule = RuleAccepted
		problems = append(problems, p)
	}
	return problems
}

func orBody(where string) string {
	if where == "" {
		return "body"
	}
	return where
}

// parameterFits reports whether the text of a parameter fits its schema.
func parameterFits(schema *openapi3.Schema, text string) bool {
	var value any = text
	switch {
	case schema.Type.Includes("integer"), schema.Type.Includes("number"):
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false
		}
		value = n
	case schema.Type.Includes("boolean"):
		if text != "true" && text != "false" {
			return false
		}
		value = text == "true"
	case !schema.Type.Includes("string"):
		return true
	}
	return schema.VisitJSON(value) == nil
}

// headers compares the headers that the document requires.
func headers(r *openapi3.Response, got http.Header, source string) (problems []Problem) {
	for name, ref := range r.Headers {
		h := ref.Value
		if h == nil || strings.HasPrefix(http.CanonicalHeaderKey(name), "X-Soundstage-") {
			continue
		}
		values := got.Values(name)
		switch {
		case len(values) == 0 && h.Required:
			problems = append(problems, Problem{Rule: RuleHeader, Where: http.CanonicalHeaderKey(name), Provenance: provenance(h.Extensions, source), Expected: "the header " + name, Got: "none"})
		case len(values) > 0 && h.Schema != nil && !parameterFits(h.Schema.Value, values[0]):
			problems = append(problems, Problem{Rule: RuleHeader, Where: http.CanonicalHeaderKey(name), Provenance: provenance(h.Extensions, source),
				Expected: "a header of type " + strings.Join(h.Schema.Value.Type.Slice(), " or "), Got: show(values[0])})
		}
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Where, b.Where) })
	return problems
}

// maxProblems is the most problems of one body.
const maxProblems = 100

// compareJSON compares a JSON body with a schema.
func compareJSON(schema *openapi3.Schema, body []byte, source string, as openapi3.SchemaValidationOption) []Problem {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return []Problem{{Rule: RuleJSON, Provenance: source, Expected: "JSON", Got: show(string(body))}}
	}
	err := schema.VisitJSON(value, openapi3.MultiErrors(), as)
	if err == nil {
		return nil
	}
	var problems []Problem
	seen := map[string]bool{}
	for _, e := range leaves(err, nil, 0) {
		p := e.problem(source)
		if key := p.Rule + p.Where; !seen[key] && len(problems) < maxProblems {
			seen[key] = true
			problems = append(problems, p)
		}
	}
	return problems
}

// leaf is an error of a schema, with the path of the value.
type leaf struct {
	*openapi3.SchemaError
	path []string
}

// leaves returns the errors that say something: those of the branch of a union that fits best, not that no branch fits.
func leaves(err error, path []string, depth int) (all []leaf) {
	if depth > 20 {
		return nil
	}
	var many openapi3.MultiError
	if multi, ok := err.(openapi3.MultiError); ok { //nolint:errorlint // SchemaError unwraps to a MultiError, too
		many = multi
	}
	for _, e := range many {
		all = append(all, leaves(e, path, depth+1)...)
	}
	if many != nil {
		return all
	}
	e, ok := err.(*openapi3.SchemaError) //nolint:errorlint // as above
	if !ok {
		if inner := errors.Unwrap(err); inner != nil {
			return leaves(inner, path, depth+1)
		}
		return nil
	}
	if e.SchemaField != "oneOf" {
		return []leaf{{e, e.JSONPointer()}}
	}
	return union(e, depth)
}

// union returns the errors of the branch of a oneOf that a value is meant for: the one that its discriminator names, else the only object.
func union(e *openapi3.SchemaError, depth int) []leaf {
	object, _ := e.Value.(map[string]any)
	var branches []*openapi3.Schema
	for _, ref := range e.Schema.OneOf {
		if ref.Value != nil && ref.Value.Type.Includes("object") {
			branches = append(branches, ref.Value)
		}
	}
	if d := e.Schema.Discriminator; d != nil && object != nil {
		named, _ := object[d.PropertyName].(string)
		branches = slices.DeleteFunc(branches, func(s *openapi3.Schema) bool { return !hasValue(s.Properties[d.PropertyName], named) })
	}
	if object == nil || len(branches) != 1 {
		return []leaf{{e, e.JSONPointer()}}
	}
	err := branches[0].VisitJSON(e.Value, openapi3.MultiErrors(), openapi3.VisitAsResponse())
	if err == nil {
		return []leaf{{e, e.JSONPointer()}}
	}
	inner := leaves(err, nil, depth+1)
	for i := range inner {
		inner[i].path = slices.Concat(e.JSONPointer(), inner[i].path)
	}
	return inner
}

func hasValue(property *openapi3.SchemaRef, value string) bool {
	return property != nil && property.Value != nil && slices.Contains(property.Value.Enum, any(value))
}

// problem describes the error.
func (e leaf) problem(source string) Problem {
	p := Problem{Rule: RuleValue, Where: pointer(e.path), Expected: e.Reason, Got: show(e.Value), Provenance: provenance(e.Schema.Extensions, source)}
	last := ""
	if len(e.path) > 0 {
		last = e.path[len(e.path)-1]
	}
	switch e.SchemaField {
	case "required":
		p.Rule = RuleMissing
		p.Expected, p.Got = "the member "+last, "no such member"
		if m := e.Schema.Properties[last]; m != nil && m.Value != nil {
			p.Provenance = provenance(m.Value.Extensions, p.Provenance)
		}
	case "properties", "additionalProperties":
		p.Rule = RuleUnknown
		p.Got = "a member that the contract does not have"
		p.Expected = e.Reason
		if _, name, ok := strings.Cut(e.Reason, `property "`); ok {
			name, _, _ = strings.Cut(name, `"`)
			p.Expected, p.Got = "only the members of the contract", "the member "+name
			if last != name {
				p.Where += "/" + name
			}
		}
		p.Provenance = "assumed" // nothing says that there are no more members
	case "type":
		p.Rule, p.Expected = RuleType, strings.Join(e.Schema.Type.Slice(), " or ")
	case "nullable":
		p.Rule, p.Expected = RuleType, strings.Join(e.Schema.Type.Slice(), " or ")
		p.Got = "null"
	case "enum", "const":
		p.Rule = RuleEnum
		if len(e.Schema.Enum) > 0 {
			p.Expected = "one of " + list(e.Schema.Enum)
		}
	case "format":
		p.Expected = "a value of the format " + e.Schema.Format
	case "pattern":
		p.Expected = "a value that matches " + e.Schema.Pattern
	case "oneOf":
		p.Expected = "a value of one of the documented shapes"
	}
	return p
}

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

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// provenance returns x-provenance, or else an inherited one.
func provenance(extensions map[string]any, inherited string) string {
	if p, ok := extensions["x-provenance"].(string); ok {
		return p
	}
	return inherited
}

// provenanceOfClass returns the strongest provenance of the documented statuses of a class, such as 2 for 2xx.
func (op *operation) provenanceOfClass(class int) string {
	best := "assumed"
	for status, r := range op.Responses.Map() {
		if n, err := strconv.Atoi(status); err != nil || n/100 != class || r.Value == nil {
			continue
		}
		switch p := provenance(r.Value.Extensions, best); {
		case p == "specified", best == "assumed":
			best = p
		}
	}
	return best
}

func (op *operation) statuses() (all []string) {
	for status := range op.Responses.Map() {
		all = append(all, status)
	}
	slices.Sort(all)
	return all
}

func mediaTypes(content openapi3.Content) (all []string) {
	for kind := range content {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}
