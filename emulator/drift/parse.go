package drift

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// parser reads an OpenAPI document. Only what the contract of /v1 uses is known; emulator/api tests with a library that it is valid.
type parser struct {
	root    map[string]any
	schemas map[string]*schema // by reference
}

// parse returns the operations of an OpenAPI document by ID.
func parse(spec []byte) (operations map[string]*operation, err error) {
	p := &parser{schemas: map[string]*schema{}}
	if err := yaml.Load(spec, &p.root); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			operations, err = nil, fmt.Errorf("the contract has what drift can't read: %v", r)
		}
	}()
	operations = map[string]*operation{}
	for _, item := range object(p.root["paths"]) {
		for method, op := range object(item) {
			if op := object(op); method != "parameters" && op["operationId"] != nil {
				operations[text(op["operationId"])] = p.operation(op)
			}
		}
	}
	return operations, nil
}

func (p *parser) operation(op map[string]any) *operation {
	o := &operation{responses: map[int]*response{}}
	for _, raw := range items(op["parameters"]) {
		if raw := p.resolve(raw); raw["in"] == "query" {
			o.query = append(o.query, p.field(text(raw["name"]), raw, "assumed"))
		}
	}
	o.body = p.content(p.resolve(op["requestBody"])["content"])["application/json"]
	for status, raw := range object(op["responses"]) {
		raw := p.resolve(raw)
		r := &response{provenance: orElse(raw, "assumed"), stated: raw["x-provenance"] != nil, content: p.content(raw["content"])}
		for name, h := range object(raw["headers"]) {
			r.headers = append(r.headers, p.field(name, p.resolve(h), r.provenance))
		}
		n, err := strconv.Atoi(status)
		if err != nil {
			panic("the status " + status)
		}
		o.responses[n] = r
	}
	return o
}

// field returns a parameter or a header.
func (p *parser) field(name string, raw map[string]any, source string) field {
	required, _ := raw["required"].(bool)
	return field{name, required, p.schema(raw["schema"]), orElse(raw, source)}
}

// content returns the schemas of media types.
func (p *parser) content(raw any) map[string]*schema {
	all := map[string]*schema{}
	for kind, media := range object(raw) {
		all[kind] = p.schema(object(media)["schema"])
	}
	return all
}

// schema returns a schema, each referenced one once, because schemas may refer to themselves.
func (p *parser) schema(raw any) *schema {
	if raw == nil {
		return nil
	}
	ref, _ := object(raw)["$ref"].(string)
	if known := p.schemas[ref]; known != nil {
		return known
	}
	s := &schema{}
	if ref != "" {
		p.schemas[ref] = s
	}
	for keyword, v := range p.resolve(raw) {
		p.keyword(s, keyword, v)
	}
	return s
}

func (p *parser) keyword(s *schema, keyword string, v any) {
	switch keyword {
	case "type":
		s.types = []string{fmt.Sprint(v)}
		if _, several := v.([]any); several {
			s.types = texts(v)
		}
	case "properties":
		s.properties = map[string]*schema{}
		for name, property := range object(v) {
			s.properties[name] = p.schema(property)
		}
	case "required":
		s.required = texts(v)
		slices.Sort(s.required)
	case "additionalProperties":
		if open, ok := v.(bool); ok {
			s.closed = !open
		} else {
			s.others = p.schema(v)
		}
	case "items":
		s.items = p.schema(v)
	case "enum":
		for _, value := range items(v) {
			s.enum = append(s.enum, asJSON(value))
		}
	case "const":
		s.enum = []any{asJSON(v)}
	case "oneOf":
		for _, branch := range items(v) {
			s.oneOf = append(s.oneOf, p.schema(branch))
		}
	case "discriminator":
		s.decidedBy = text(object(v)["propertyName"])
	case "pattern":
		s.pattern = regexp.MustCompile(text(v))
	case "format":
		s.format = text(v)
	case "minimum":
		s.least = number(v)
	case "maximum":
		s.most = number(v)
	case "minLength", "minItems", "minProperties":
		s.length[0] = int(*number(v))
	case "maxLength", "maxItems", "maxProperties":
		s.length[1] = int(*number(v))
	case "uniqueItems":
		s.unique = v == true
	case "x-provenance":
		s.provenance = text(v)
	default:
		if !slices.Contains(shapes, keyword) {
			panic("the keyword " + keyword)
		}
	}
}

// maxReferences is the longest chain of references.
const maxReferences = 10

// resolve follows references within the document.
func (p *parser) resolve(raw any) map[string]any {
	for range maxReferences {
		ref, ok := object(raw)["$ref"].(string)
		if !ok {
			return object(raw)
		}
		raw = p.root
		for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			raw = object(raw)[part]
		}
		if raw == nil {
			panic("the reference " + ref + ", which leads nowhere")
		}
	}
	panic("a reference to itself")
}

// orElse returns the provenance of a part of the document, or else an inherited one.
func orElse(raw map[string]any, inherited string) string {
	if own, ok := raw["x-provenance"].(string); ok {
		return own
	}
	return inherited
}

func object(raw any) map[string]any {
	if raw == nil {
		return nil
	}
	return raw.(map[string]any)
}

func items(raw any) []any {
	if raw == nil {
		return nil
	}
	return raw.([]any)
}

func text(raw any) string { return raw.(string) }

func texts(raw any) (all []string) {
	for _, v := range items(raw) {
		all = append(all, text(v))
	}
	return all
}

func number(raw any) *float64 {
	n, ok := asJSON(raw).(float64)
	if !ok {
		panic(fmt.Sprintf("the number %v", raw))
	}
	return &n
}

// asJSON returns a number as encoding/json reads it.
func asJSON(v any) any {
	if n, ok := v.(int); ok {
		return float64(n)
	}
	return v
}
