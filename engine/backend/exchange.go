package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// Kind says what an Exchange was with.
type Kind string

const (
	KindHTTP    Kind = "http"
	KindCommand Kind = "command" // a program that was run
)

// Exchange is one question to a backend with its answer, as it is kept in a folder: one JSON file each, without a secret in it.
type Exchange struct {
	Version  int      `json:"version"` // exchangeVersion
	Kind     Kind     `json:"kind"`
	Request  Sent     `json:"request"`
	Response Received `json:"response"`
}

// exchangeVersion is what this version of us writes and reads.
const exchangeVersion = 1

// Sent is what was asked. Questions are the same when all of it is; see Player.
type Sent struct {
	Method  string            `json:"method,omitempty"`  // of KindHTTP
	Path    string            `json:"path,omitempty"`    // of KindHTTP: as it is written in the address, which is not kept
	Query   url.Values        `json:"query,omitempty"`   // of KindHTTP
	Header  map[string]string `json:"header,omitempty"`  // of KindHTTP: those that change what a request means
	Program string            `json:"program,omitempty"` // of KindCommand: its name, without its folder
	Args    []string          `json:"args,omitempty"`    // of KindCommand: with paths replaced by what they stand for
	Body    *Payload          `json:"body,omitempty"`    // of the request, or the program's input; nil for none
}

// Received is what came back.
type Received struct {
	Status  int               `json:"status"`            // of HTTP, or the program's exit status; 0 where nothing came
	Header  map[string]string `json:"header,omitempty"`  // of KindHTTP: those that adapters look at
	Body    *Payload          `json:"body,omitempty"`    // of the answer, or the program's standard output; nil for none
	Failure *Failure          `json:"failure,omitempty"` // what ended the exchange: before an answer with Status 0, else in its Body
}

// encode is the exchange as it is written: the same exchange is the same bytes.
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

// decodeExchange reads what encode wrote, or somebody by hand: what isn't known is an error.
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
		return Exchange{}, errors.New("something stands behind the exchange")
	}
	return x, x.check()
}

// check says what is wrong with an exchange.
func (x Exchange) check() error {
	if x.Version != exchangeVersion {
		return fmt.Errorf("its version is %d, not %d", x.Version, exchangeVersion)
	}
	answered := x.Response.Failure == nil || x.Response.Status != 0
	switch {
	case x.Kind == KindHTTP && (x.Request.Method == "" || x.Request.Path == ""):
		return errors.New("its request has no method or no path")
	case x.Kind == KindHTTP && answered && (x.Response.Status < 200 || x.Response.Status > 599):
		return fmt.Errorf("%d is no status of an answer", x.Response.Status)
	case x.Kind == KindCommand && x.Request.Program == "":
		return errors.New("its request has no program")
	case x.Kind != KindHTTP && x.Kind != KindCommand:
		return fmt.Errorf("%q is no kind of exchange", string(x.Kind))
	}
	if f := x.Response.Failure; f != nil && f.cause() == nil {
		return fmt.Errorf("%q is no kind of failure", string(f.Kind))
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
		return errors.New("the body of its response is not there")
	}
	return nil
}
