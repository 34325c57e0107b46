package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// Limits of timeout_ms.
const (
	defaultWait = 10 * time.Second
	maxWait     = 10 * time.Minute
)

// RequestHost is the part of Host that sends requests again.
type RequestHost interface {
	// Resend sends a logged request to a world again and returns the new exchange. CodeNotFound, CodeConflict.
	Resend(ctx context.Context, world string, number int64) (*traffic.Entry, error)
}

// requestRoutes are the endpoints for a world's request log.
var requestRoutes = routes{
	"GET /_soundstage/requests":        listRequests,
	"GET /_soundstage/requests.har":    exportRequests,
	"POST /_soundstage/requests/find":  findRequests,
	"POST /_soundstage/requests/count": countRequests,
	"POST /_soundstage/requests/wait":  waitForRequests,
	"DELETE /_soundstage/requests":     clearRequests,

	"GET /_soundstage/requests/{number}":         getRequest,
	"POST /_soundstage/requests/{number}/resend": resendRequest,
}

// listRequests handles GET /_soundstage/requests?op=&status=&method=&path=&key=&since=&limit=. With limit, it returns the newest matches.
func listRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	m, limit, err := matchOfQuery(req)
	if err != nil {
		return err
	}
	return writeRequests(w, world.Traffic(), m, limit)
}

func writeRequests(w http.ResponseWriter, t *traffic.Traffic, m traffic.Match, limit int) error {
	if err := m.Validate(); err != nil {
		return err
	}
	streamRequests(w, func(yield func(*traffic.Entry) error) (int64, error) { return t.Each(m, limit, yield) })
	return nil
}

// streamRequests writes the response of the request log exchange by exchange: requests, oldest first; count; and last, the number of the
// request that ended last, which clients pass as since next time. each returns last and yield's error.
func streamRequests(w http.ResponseWriter, each func(yield func(*traffic.Entry) error) (last int64, err error)) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"requests":[`)
	count, newest, separator := 0, int64(0), ""
	last, err := each(func(e *traffic.Entry) error {
		entry, err := json.Marshal(e)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, entry)
		}
		count, newest, separator = count+1, e.Number, ","
		return err
	})
	if err != nil {
		panic(http.ErrAbortHandler) // the client has disconnected, or the response is incomplete
	}
	_, _ = fmt.Fprintf(w, "],\"count\":%d,\"last\":%d}\n", count, max(last, newest))
}

// matchParameters are the query parameters of a list.
var matchParameters = []string{"op", "status", "method", "path", "key", "since", "limit", "world"}

func matchOfQuery(req *http.Request) (m traffic.Match, limit int, err error) {
	const op = "requests"
	q, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return m, 0, engine.Errorf(engine.CodeInvalid, op, "The query string is malformed.").Because(err)
	}
	for name := range q {
		if !slices.Contains(matchParameters, name) {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "Unknown parameter %.100q.", name).
				WithHint("The parameters are " + strings.Join(matchParameters, ", ") + ".")
		}
	}
	m = traffic.Match{Op: q.Get("op"), Method: q.Get("method"), Path: q.Get("path"), Key: q.Get("key"), Status: traffic.Status(q.Get("status"))}
	if s := q.Get("since"); s != "" {
		if m.Since, err = strconv.ParseInt(s, 10, 64); err != nil {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "since must be the number of a request, at least 0 (got %.20q).", s)
		}
	}
	if s := q.Get("limit"); s != "" {
		if limit, err = strconv.Atoi(s); err != nil || limit < 1 {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "limit must be a number of at least 1.")
		}
	}
	return m, limit, nil
}

// exportRequests handles GET /_soundstage/requests.har. It accepts the parameters of a list except limit.
func exportRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	m, limit, err := matchOfQuery(req)
	if err == nil && limit > 0 {
		err = engine.Errorf(engine.CodeInvalid, "requests", "limit is not supported for an export.").WithHint("Use since to export fewer requests.")
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return err
	}
	health, err := h.Health(req.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="soundstage.har"`)
	if world.Traffic().WriteHAR(w, m, health.Version) != nil {
		panic(http.ErrAbortHandler) // the client has disconnected
	}
	return nil
}

// findRequests handles POST /_soundstage/requests/find {match, limit}.
func findRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	var in struct {
		Match traffic.Match `json:"match"`
		Limit int           `json:"limit"`
	}
	world, err := worldAndBody(h, w, req, &in)
	if err != nil {
		return err
	}
	if in.Limit < 0 {
		return engine.Errorf(engine.CodeInvalid, "requests", "limit must be a number of at least 1.")
	}
	return writeRequests(w, world.Traffic(), in.Match, in.Limit)
}

// countRequests handles POST /_soundstage/requests/count {match}.
func countRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	var in struct {
		Match traffic.Match `json:"match"`
	}
	world, err := worldAndBody(h, w, req, &in)
	if err != nil {
		return err
	}
	n, err := world.Traffic().Count(in.Match)
	if err == nil {
		writeJSON(w, http.StatusOK, struct {
			Count int `json:"count"`
		}{n})
	}
	return err
}

// waitForRequests handles POST /_soundstage/requests/wait {match, count, timeout_ms}. It responds with all matches as soon as there are
// count (default 1), or with 408 after timeout_ms on the wall clock (default 10,000).
func waitForRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	const op = "requests"
	in := struct {
		Match     traffic.Match `json:"match"`
		Count     int           `json:"count"`
		TimeoutMS int64         `json:"timeout_ms"`
	}{Count: 1, TimeoutMS: defaultWait.Milliseconds()}
	world, err := worldAndBody(h, w, req, &in)
	if err != nil {
		return err
	}
	if in.TimeoutMS < 0 || in.TimeoutMS > maxWait.Milliseconds() {
		return engine.Errorf(engine.CodeInvalid, op, "timeout_ms must be from 0 to %d (got %d).", maxWait.Milliseconds(), in.TimeoutMS)
	}
	ctx, cancel := context.WithTimeout(req.Context(), time.Duration(in.TimeoutMS)*time.Millisecond)
	defer cancel()
	t := world.Traffic()
	found, err := t.Wait(ctx, in.Match, in.Count)
	if engine.CodeOf(err) == engine.CodeCanceled {
		return engine.Errorf(engine.CodeCanceled, op, "Received %d of %d requests within %d ms.", len(found), in.Count, in.TimeoutMS).Because(err)
	}
	if err == nil {
		streamRequests(w, func(yield func(*traffic.Entry) error) (int64, error) {
			for _, e := range found {
				if err := yield(e); err != nil {
					return 0, err
				}
			}
			return t.Last(), nil
		})
	}
	return err
}

// requestBody is a response with one exchange.
type requestBody struct {
	Request *traffic.Entry `json:"request"`
}

// numberOf returns the number of a request in the path.
func numberOf(req *http.Request) (int64, error) {
	text := req.PathValue("number")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, engine.Errorf(engine.CodeInvalid, "requests", "%.40q is not the number of a request.", text).
			WithHint("List the newest requests with GET /_soundstage/requests.")
	}
	return n, nil
}

// getRequest handles GET /_soundstage/requests/{number}.
func getRequest(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	n, err := numberOf(req)
	if err != nil {
		return err
	}
	e, err := world.Traffic().Get(n)
	if err == nil {
		writeJSON(w, http.StatusOK, requestBody{e})
	}
	return err
}

// resendRequest handles POST /_soundstage/requests/{number}/resend.
func resendRequest(h Host, w http.ResponseWriter, req *http.Request) error {
	n, err := numberOf(req)
	if err != nil {
		return err
	}
	if _, err := worldAndBody(h, w, req, &struct{}{}); err != nil {
		return err
	}
	e, err := h.Resend(req.Context(), worldName(req), n)
	if err == nil {
		writeJSON(w, http.StatusOK, requestBody{e})
	}
	return err
}

// clearRequests handles DELETE /_soundstage/requests.
func clearRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	world.Traffic().Clear()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// worldAndBody returns the world that a request names, and decodes the request's body into v.
func worldAndBody(h Host, w http.ResponseWriter, req *http.Request, v any) (World, error) {
	world, err := h.World(worldName(req))
	if err == nil {
		err = readBody(w, req, v)
	}
	return world, err
}
