package backend

import (
	"encoding/json"
	"net/url"
	"slices"
)

// masked is a copy of an exchange without secrets.
func (x Exchange) masked(hidden secrets) Exchange {
	x.Request = x.Request.masked(hidden)
	x.Response.Header = maskedHeader(x.Response.Header, hidden)
	x.Response.Body = x.Response.Body.masked(hidden)
	if f := x.Response.Failure; f != nil {
		x.Response.Failure = &Failure{Kind: f.Kind, Text: safe(hidden.mask(f.Text), maxErrorText)}
	}
	return x
}

// masked is a copy of a question without secrets.
func (s Sent) masked(hidden secrets) Sent {
	s.Method, s.Path, s.Program = hidden.mask(s.Method), hidden.mask(s.Path), hidden.mask(s.Program)
	query := s.Query
	s.Query = nil
	for name, values := range query {
		for _, value := range values {
			if secretParameter(name) {
				value = Secret
			}
			if s.Query == nil {
				s.Query = url.Values{}
			}
			s.Query.Add(hidden.mask(name), hidden.mask(value))
		}
	}
	s.Header = maskedHeader(s.Header, hidden)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = hidden.mask(s.Args[i])
	}
	s.Body = s.Body.masked(hidden)
	return s
}

// masked is a copy of a body without secrets.
func (p *Payload) masked(hidden secrets) *Payload {
	if p == nil {
		return nil
	}
	c := *p
	c.Type = hidden.mask(p.Type)
	if p.JSON != nil {
		c.JSON = []byte(hidden.mask(string(p.JSON)))
		if !json.Valid(c.JSON) { // a secret was all digits, and so was a number
			text := string(c.JSON)
			c.JSON, c.Layout, c.Text = nil, "", &text
		}
	}
	if p.Text != nil {
		text := hidden.mask(*p.Text)
		c.Text = &text
	}
	if p.Base64 != nil {
		c.Base64 = []byte(hidden.mask(string(p.Base64)))
	}
	c.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		c.Parts[i].Name, c.Parts[i].File, c.Parts[i].Type = hidden.mask(part.Name), hidden.mask(part.File), hidden.mask(part.Type)
		if part.Value != nil {
			value := hidden.mask(*part.Value)
			c.Parts[i].Value = &value
		}
	}
	return &c
}

func maskedHeader(h map[string]string, hidden secrets) map[string]string {
	var masked map[string]string
	for name, value := range h {
		if masked == nil {
			masked = map[string]string{}
		}
		if secretHeader(name) {
			value = Secret
		}
		masked[name] = hidden.mask(value)
	}
	return masked
}
