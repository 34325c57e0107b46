package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
)

// statuses maps each engine code to its HTTP status.
var statuses = map[engine.Code]int{
	engine.CodeInvalid:         http.StatusBadRequest,
	engine.CodeUnauthenticated: http.StatusUnauthorized,
	engine.CodeNoPlan:          http.StatusForbidden,
	engine.CodeTier:            http.StatusForbidden,
	engine.CodeNotFound:        http.StatusNotFound,
	engine.CodeConflict:        http.StatusConflict,
	engine.CodeNotReady:        http.StatusBadRequest,
	engine.CodeUnprocessable:   http.StatusUnprocessableEntity,
	engine.CodeStorageLimit:    http.StatusPaymentRequired,
	engine.CodeTooLarge:        http.StatusRequestEntityTooLarge,
	engine.CodeForbidden:       http.StatusForbidden,
	engine.CodeRateLimited:     http.StatusTooManyRequests,
	engine.CodeNotPublic:       http.StatusBadRequest,
	engine.CodeDownload:        http.StatusBadRequest,
	engine.CodeBadMedia:        http.StatusBadRequest,
	engine.CodeNoSpeech:        http.StatusBadRequest,
	engine.CodeCanceled:        http.StatusRequestTimeout,
	engine.CodeUnavailable:     http.StatusServiceUnavailable,
	engine.CodeUnsupported:     http.StatusNotImplemented,
	engine.CodeNoSpace:         http.StatusInsufficientStorage,
	engine.CodeInternal:        http.StatusInternalServerError,
}

// StatusOf returns the HTTP status of an engine code, 500 for an unknown code.
func StatusOf(code engine.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// errorBody is the general error body (specification, "Errors").
type errorBody struct {
	Error string `json:"error"`
}

// tierBody is the body of a 403 when the caller's tier is too low.
type tierBody struct {
	Error        string      `json:"error"`
	RequiredTier engine.Tier `json:"required_tier"`
	CurrentTier  engine.Tier `json:"current_tier"`
}

// validationBody is the body of a 400 from POST /v1/transcripts (specification, "Errors").
type validationBody struct {
	Errors input.FieldErrors `json:"errors"`
	Valid  bool              `json:"valid"`
}

// fail writes an error response: message in the body, hint in a header. The cause of a 5xx goes to the log.
func (a *api) fail(w http.ResponseWriter, req *http.Request, err error) {
	code := engine.CodeOf(err)
	status := StatusOf(code)
	if status >= http.StatusInternalServerError {
		a.log.Error("request failed", "id", w.Header().Get("X-Request-Id"), "path", req.URL.Path, "code", code, "err", err)
	}
	if code == engine.CodeUnauthenticated {
		challenge := `Bearer realm="soundstage"`
		if req.Header.Get("Authorization") != "" { // RFC 6750, section 3.1: no error code without credentials
			challenge += `, error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
	}
	hint(w, err)
	if status < http.StatusInternalServerError || status == http.StatusNotImplemented {
		w.Header().Set(reasonHeader, reasonOf(req, err))
	}
	var tier tierError
	var fields input.FieldErrors
	switch {
	case errors.As(err, &tier):
		writeJSON(w, status, tierBody{Error: engine.Message(err), RequiredTier: tier.required, CurrentTier: tier.current})
	case errors.As(err, &fields):
		writeJSON(w, status, validationBody{Errors: fields})
	default:
		writeJSON(w, status, errorBody{Error: engine.Message(err)})
	}
}

// WriteError writes the response for an error that occurred before the request reached an API. It logs nothing.
func WriteError(w http.ResponseWriter, err error) {
	hint(w, err)
	writeJSON(w, StatusOf(engine.CodeOf(err)), errorBody{Error: engine.Message(err)})
}

// WriteErrorFor is WriteError in the format of the request's path: XML for a signed URL, else JSON. It gives the reason of a 4xx.
func WriteErrorFor(w http.ResponseWriter, req *http.Request, err error) {
	status := StatusOf(engine.CodeOf(err))
	if status < http.StatusInternalServerError {
		w.Header().Set(reasonHeader, reasonOf(req, err))
	}
	if strings.HasPrefix(req.URL.Path, storagePath) {
		hint(w, err)
		writeXML(w, status, storageErrorOf(err))
		return
	}
	WriteError(w, err)
}

// Refuse writes the response for a request that may not reach an API at all, in the format of its path. rule is the reason: not one of the
// contract, but of the server in front of it.
func Refuse(w http.ResponseWriter, req *http.Request, rule string, err error) {
	w.Header().Set(reasonHeader, rule+": "+asciiLine(engine.Message(err)))
	if !strings.HasPrefix(req.URL.Path, storagePath) {
		WriteError(w, err)
		return
	}
	hint(w, err)
	writeXML(w, StatusOf(engine.CodeOf(err)), storageError{Code: "AccessDenied", Message: engine.Message(err)})
}

// hint writes the error's hint to a header.
func hint(w http.ResponseWriter, err error) {
	var e *engine.Error
	if errors.As(err, &e) && e.Hint != "" {
		w.Header().Set("X-Soundstage-Hint", asciiLine(e.Hint))
	}
}

// asciiLine replaces characters that a header can't have: typographic quotes by ", others by spaces.
func asciiLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '“' || r == '”':
			return '"'
		case r < ' ' || r > '~':
			return ' '
		}
		return r
	}, s)
}
