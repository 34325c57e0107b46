package control

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// The bounds of a wait.
const (
	defaultWait = 10 * time.Second
	maxWait     = 10 * time.Minute
)

// requestList is what the request log answers with.
type requestList struct {
	Requests []*traffic.Entry `json:"requests"` // the oldest first
	Count    int              `json:"count"`
	Last     int64            `json:"last"` // number of the request that ended last: the since of the next look
}

// requestRoutes are about a world's request log.
var requestRoutes = routes{
	"GET /_soundstage/requests":        listRequests,
	"GET /_soundstage/requests.har":    exportRequests,
	"POST /_soundstage/requests/find":  findRequests,
	"POST /_soundstage/requests/count": countRequests,
	"POST /_soundstage/requests/wait":  waitForRequests,
	"DELETE /_soundstage/requests":     clearRequests,
}

// listRequests is GET /_soundstage/requests?op=&status=&method=&path=&since=&limit=: of more than limit the last ones.
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
	last := t.Last()
	found, err := t.Find(m)
	if err != nil {
		return err
	}
	if limit > 0 && len(found) > limit {
		found = found[len(found)-limit:]
	}
	write(w, http.StatusOK, requestsOf(found, last))
	return nil
}

func requestsOf(found []*traffic.Entry, last int64) requestList {
	if found == nil {
		found = []*traffic.Entry{}
	}
	if n := len(found); n > 0 {
		last = max(last, found[n-1].Number)
	}
	return requestList{Requests: found, Count: len(found), Last: last}
}

// matchParameters are those of the query of a list.
var matchParameters = []string{"op", "status", "method", "path", "since", "limit", "world"}

func matchOfQuery(req *http.Request) (m traffic.Match, limit int, err error) {
	const op = "requests"
	q, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return m, 0, engine.Errorf(engine.CodeInvalid, op, "The query string is malformed.").Because(err)
	}
	for name := range q {
		if !slices.Contains(matchParameters, name) {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "There is no parameter %.100q here.", name).
				WithHint("The parameters are " + strings.Join(matchParameters, ", ") + ".")
		}
	}
	m = traffic.Match{Op: q.Get("op"), Method: q.Get("method"), Path: q.Get("path"), Status: traffic.Status(q.Get("status"))}
	if s := q.Get("since"); s != "" {
		if m.Since, err = strconv.ParseInt(s, 10, 64); err != nil {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "since is the number of a request, at least 0.")
		}
	}
	if s := q.Get("limit"); s != "" {
		if limit, err = strconv.Atoi(s); err != nil || limit < 1 {
			return m, 0, engine.Errorf(engine.CodeInvalid, op, "limit must be a number of at least 1.")
		}
	}
	return m, limit, nil
}

// exportRequests is GET /_soundstage/requests.har, with the parameters of a list but limit.
func exportRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	m, limit, err := matchOfQuery(req)
	if err == nil && limit > 0 {
		err = engine.Errorf(engine.CodeInvalid, "requests", "An export has no limit.").WithHint("Use since.")
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
	return world.Traffic().WriteHAR(w, m, health.Version)
}

// findRequests is POST /_soundstage/requests/find {match, limit}.
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

// countRequests is POST /_soundstage/requests/count {match}.
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
		write(w, http.StatusOK, struct {
			Count int `json:"count"`
		}{n})
	}
	return err
}

// waitForRequests is POST /_soundstage/requests/wait {match, count, timeout_ms}: it answers when count requests fit, 1 unless another
// number is given, with all of them; after timeout_ms of the machine's clock, 10 s unless given, with 408.
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
		return engine.Errorf(engine.CodeInvalid, op, "timeout_ms must be from 0 to %d.", maxWait.Milliseconds())
	}
	ctx, cancel := context.WithTimeout(req.Context(), time.Duration(in.TimeoutMS)*time.Millisecond)
	defer cancel()
	t := world.Traffic()
	found, err := t.Wait(ctx, in.Match, in.Count)
	if engine.CodeOf(err) == engine.CodeCanceled {
		return engine.Errorf(engine.CodeCanceled, op, "%d of %d requests came within %d ms.", len(found), in.Count, in.TimeoutMS).Because(err)
	}
	if err == nil {
		write(w, http.StatusOK, requestsOf(found, t.Last()))
	}
	return err
}

// clearRequests is DELETE /_soundstage/requests.
func clearRequests(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	world.Traffic().Clear()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// worldAndBody returns the world that a request is about, and decodes its body into v.
func worldAndBody(h Host, w http.ResponseWriter, req *http.Request, v any) (World, error) {
	world, err := h.World(worldName(req))
	if err == nil {
		err = read(w, req, v)
	}
	return world, err
}
