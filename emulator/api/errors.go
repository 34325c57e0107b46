package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// statuses is the HTTP status of every engine code.
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

// StatusOf returns the HTTP status of an engine code.
func StatusOf(code engine.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// errorBody is the body of every error but two.
type errorBody struct {
	Error string `json:"error"`
}

// tierBody is the body of a 403 for a tier that is too low.
type tierBody struct {
	Error        string      `json:"error"`
	RequiredTier engine.Tier `json:"required_tier"`
	CurrentTier  engine.Tier `json:"current_tier"`
}

// validationBody is the body of a 400 of POST /v1/transcripts.
type validationBody struct {
	Errors engine.FieldErrors `json:"errors"`
	Valid  bool               `json:"valid"`
}

// fail answers with an error: the sentence for the user in the body, what to do next in a header, the cause in the log.
func (a *api) fail(w http.ResponseWriter, req *http.Request, err error) {
	code := engine.CodeOf(err)
	status := StatusOf(code)
	if status >= http.StatusInternalServerError {
		a.log.Error("request failed", "id", w.Header().Get("X-Request-Id"), "path", req.URL.Path, "code", code, "err", err)
	}
	if code == engine.CodeUnauthenticated {
		challenge := `Bearer realm="soundstage"`
		if req.Header.Get("Authorization") != "" { // RFC 6750, section 3.1: no error code where no credentials were sent
			challenge += `, error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
	}
	hint(w, err)
	if status < http.StatusInternalServerError || status == http.StatusNotImplemented {
		w.Header().Set(reasonHeader, reasonOf(req, err))
	}
	var tier tierError
	var fields engine.FieldErrors
	switch {
	case errors.As(err, &tier):
		writeJSON(w, status, tierBody{Error: engine.Message(err), RequiredTier: tier.required, CurrentTier: tier.current})
	case errors.As(err, &fields):
		writeJSON(w, status, validationBody{Errors: fields})
	default:
		writeJSON(w, status, errorBody{Error: engine.Message(err)})
	}
}

// WriteError answers with an error that a request met before it came to an API: as an API does, without a log.
func WriteError(w http.ResponseWriter, err error) {
	hint(w, err)
	writeJSON(w, StatusOf(engine.CodeOf(err)), errorBody{Error: engine.Message(err)})
}

// hint tells in a header what to do next.
func hint(w http.ResponseWriter, err error) {
	var e *engine.Error
	if errors.As(err, &e) && e.Hint != "" {
		w.Header().Set("X-Soundstage-Hint", asciiLine(e.Hint))
	}
}

// asciiLine makes text fit for a header.
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
