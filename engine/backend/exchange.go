package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// Kind is the kind of an Exchange.
type Kind string

const (
	KindHTTP    Kind = "http"
	KindCommand Kind = "command" // a run of a program
)

// Exchange is a request to a backend and its response, as recorded in a folder: one JSON file each, without secrets.
type Exchange struct {
	Version  int              `json:"version"` // exchangeVersion
	Kind     Kind             `json:"kind"`
	Request  ExchangeRequest  `json:"request"`
	Response ExchangeResponse `json:"response"`
}

// exchangeVersion is the version of the file format.
const exchangeVersion = 1

// ExchangeRequest is a recorded request. Two requests are equal if all fields are; see Player.
type ExchangeRequest struct {
	Method  string            `json:"method,omitempty"`  // of KindHTTP
	Path    string            `json:"path,omitempty"`    // of KindHTTP: escaped as in the URL; the host is not kept
	Query   url.Values        `json:"query,omitempty"`   // of KindHTTP
	Header  map[string]string `json:"header,omitempty"`  // of KindHTTP: only those that change the request's meaning
	Program string            `json:"program,omitempty"` // of KindCommand: its name without a directory
	Args    []string          `json:"args,omitempty"`    // of KindCommand: paths are replaced by placeholders
	Body    *Payload          `json:"body,omitempty"`    // of the request, or the program's standard input; nil for none
}

// ExchangeResponse is a recorded response.
type ExchangeResponse struct {
	Status  int               `json:"status"`            // HTTP status, or the program's exit status; 0 without a response
	Header  map[string]string `json:"header,omitempty"`  // of KindHTTP: only those that adapters read
	Body    *Payload          `json:"body,omitempty"`    // of the response, or the program's standard output; nil for none
	Failure *Failure          `json:"failure,omitempty"` // what ended the exchange: before the response if Status is 0, otherwise within the Body
}

// encode returns the exchange's file. Equal exchanges have equal files.
func (x Exchange) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(x); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decodeExchange parses a file that encode wrote or a person edited. Unknown fields are errors.
func decodeExchange(b []byte) (Exchange, error) {
	var x Exchange
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&x); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Exchange{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Exchange{}, errors.New("unexpected data after the exchange")
	}
	return x, x.check()
}

// check returns what is wrong with an exchange, or nil.
func (x Exchange) check() error {
	if x.Version != exchangeVersion {
		return fmt.Errorf("its version is %d, not %d", x.Version, exchangeVersion)
	}
	answered := x.Response.Failure == nil || x.Response.Status != 0
	switch {
	case x.Kind == KindHTTP && (x.Request.Method == "" || x.Request.Path == ""):
		return errors.New("its request has no method or no path")
	case x.Kind == KindHTTP && answered && (x.Response.Status < 200 || x.Response.Status > 599):
		return fmt.Errorf("%d is not a valid status", x.Response.Status)
	case x.Kind == KindCommand && x.Request.Program == "":
		return errors.New("its request has no program")
	case x.Kind != KindHTTP && x.Kind != KindCommand:
		return fmt.Errorf("unknown kind of exchange %q", string(x.Kind))
	}
	if f := x.Response.Failure; f != nil && f.cause() == nil {
		return fmt.Errorf("unknown kind of failure %q", string(f.Kind))
	}
	if p := x.Request.Body; p != nil && p.Longer > 0 {
		return errors.New("the body of its request has no length")
	}
	for place, p := range map[string]*Payload{"request": x.Request.Body, "response": x.Response.Body} {
		if err := p.check(); err != nil {
			return fmt.Errorf("the body of its %s: %w", place, err)
		}
	}
	if p := x.Response.Body; p != nil && (p.Parts != nil || p.SHA256 != "") {
		return errors.New("the body of its response must not be parts or a hash")
	}
	return nil
}
