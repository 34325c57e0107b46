package backend

import (
	"encoding/json"
	"net/url"
	"slices"
)

// masked returns a copy of an exchange without secrets.
func (x Exchange) masked(hidden secrets) Exchange {
	x.Request = x.Request.masked(hidden)
	x.Response.Header = maskedHeader(x.Response.Header, hidden)
	x.Response.Body = x.Response.Body.masked(hidden)
	if f := x.Response.Failure; f != nil {
		x.Response.Failure = &Failure{Kind: f.Kind, Text: oneLine(hidden.text(f.Text), maxErrorText)}
	}
	return x
}

// masked returns a copy of a request without secrets.
func (s ExchangeRequest) masked(hidden secrets) ExchangeRequest {
	s.Method, s.Path, s.Program = hidden.text(s.Method), hidden.text(s.Path), hidden.text(s.Program)
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
			s.Query.Add(hidden.text(name), hidden.text(value))
		}
	}
	s.Header = maskedHeader(s.Header, hidden)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = hidden.text(s.Args[i])
	}
	s.Body = s.Body.masked(hidden)
	return s
}

// masked returns a copy of a body without secrets.
func (p *Payload) masked(hidden secrets) *Payload {
	if p == nil {
		return nil
	}
	c := *p
	c.Type = hidden.text(p.Type)
	if p.JSON != nil {
		c.JSON = []byte(hidden.mask(string(p.JSON)))
		if !json.Valid(c.JSON) { // an all-digit secret matched within a number
			text := string(c.JSON)
			c.JSON, c.Layout, c.Text = nil, "", &text
		}
	}
	if p.Text != nil {
		text := hidden.text(*p.Text)
		c.Text = &text
	}
	if p.Base64 != nil {
		c.Base64 = []byte(hidden.mask(string(p.Base64)))
	}
	c.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		c.Parts[i].Name, c.Parts[i].File, c.Parts[i].Type = hidden.text(part.Name), hidden.text(part.File), hidden.text(part.Type)
		if part.Value != nil {
			value := hidden.text(*part.Value)
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
		masked[name] = hidden.text(value)
	}
	return masked
}
