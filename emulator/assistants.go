package emulator

import (
	"bytes"
	"io"
	"net/http"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/lab"
)

// Assistants implements control.Host. The tools are made at the first request, so that sandboxes without assistants don't pay for them.
func (s *Server) Assistants() http.Handler { return s.assistants() }

// newAssistants returns the handler of assistants. Their tools use the control API in this process.
func (s *Server) newAssistants() http.Handler {
	own := control.Handler(s, control.Guard{Token: s.opts.ControlToken})
	return assistant.Handler(lab.New(lab.Options{
		Send: func(req *http.Request) (*http.Response, error) { return respond(own, req) },
		Base: s.URL(), Token: s.opts.ControlToken, Version: s.opts.Version, Log: s.opts.Log,
	}), s.opts.Log)
}

// respond returns a handler's response to a request of this process.
func respond(h http.Handler, req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		req.Body = http.NoBody
	}
	w := &response{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, req)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: req}, nil
}

// response is an http.ResponseWriter that keeps the response.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
	begun  bool
}

func (r *response) Header() http.Header { return r.header }

func (r *response) WriteHeader(status int) {
	if !r.begun {
		r.status, r.begun = status, true
	}
}

func (r *response) Write(b []byte) (int, error) {
	r.begun = true
	return r.body.Write(b)
}
