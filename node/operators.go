package node

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/engine"
)

// operatorPages are the pages of the operators' console.
var operatorPages = []string{"recordings", "jobs", "deliveries"}

// operators serves the operators' console and the part of the control API that it uses. Where the sandbox has the same endpoint, requests and
// responses have the same form (emulator/control/openapi.yaml).
type operators struct {
	n     *Node
	guard *tokenGuard
}

// addOperators adds the operators' console to the API, if there is a token for it. Without one, nothing answers there.
func (n *Node) addOperators(mux *http.ServeMux) {
	if n.c.ControlToken == "" {
		return
	}
	o := operators{n, newTokenGuard(n.c.ControlToken, n.c.Log)}
	mux.Handle(console.Path, n.observed(console.Operators()))
	inner := http.NewServeMux()
	for pattern, handle := range o.routes() {
		inner.HandleFunc(pattern, o.answer(handle))
	}
	served := n.observed(o.guard.protect(inner))
	for _, path := range []string{"/_soundstage", "/_soundstage/"} { // the mux redirects the first one without a handler
		inner.HandleFunc(path, func(w http.ResponseWriter, req *http.Request) {
			writeOperatorError(w, engine.Errorf(engine.CodeNotFound, "operators", "A node has no endpoint %s %s.", req.Method, req.URL.Path))
		})
		mux.Handle(path, served)
	}
}

// operatorTime limits a request, which must not take the database from clients for long.
const operatorTime = 10 * time.Second

var errOperatorTime = engine.Errorf(engine.CodeUnavailable, "operators", "The database took longer than %s.", operatorTime).
	WithHint("Ask again with a status or a kind, when the database has less to do.")

type operatorHandler func(req *http.Request) (body any, err error)

func (o operators) routes() map[string]operatorHandler {
	return map[string]operatorHandler{
		"GET /_soundstage/health":                  o.health,
		"GET /_soundstage/recordings":              o.listRecordings,
		"GET /_soundstage/jobs":                    o.listJobs,
		"GET /_soundstage/jobs/{id}":               o.getJob,
		"POST /_soundstage/jobs/{id}/cancel":       o.cancelJob,
		"POST /_soundstage/jobs/{id}/step":         o.stepJob,
		"GET /_soundstage/deliveries":              o.listDeliveries,
		"GET /_soundstage/deliveries/{id}":         o.getDelivery,
		"POST /_soundstage/deliveries/{id}/replay": o.replayDelivery,
	}
}

// answer returns the HTTP handler of an endpoint.
func (o operators) answer(handle operatorHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithTimeoutCause(req.Context(), operatorTime, errOperatorTime)
		defer cancel()
		body, err := handle(req.WithContext(ctx))
		if err != nil && context.Cause(ctx) == errOperatorTime {
			err = errOperatorTime
		}
		if err != nil {
			if engine.CodeOf(err) == engine.CodeInternal {
				o.n.c.Log.Error("operators", slog.String("path", req.URL.Path), slog.Any("err", err))
			}
			writeOperatorError(w, err)
			return
		}
		writeOperatorJSON(w, http.StatusOK, body)
	}
}

// operatorHealth is what the page asks first: whether the token is right, and which pages there are.
type operatorHealth struct {
	Status  string    `json:"status"` // as /readyz
	Version string    `json:"version"`
	Now     time.Time `json:"now"` // on the clock of the nodes
	Pages   []string  `json:"pages"`
}

func (o operators) health(req *http.Request) (any, error) {
	return operatorHealth{o.n.health(req.Context()).Status, o.n.c.Version, o.now(), operatorPages}, nil
}

// now returns the time on the clock that the engine uses.
func (o operators) now() time.Time {
	if s, ok := o.n.c.Store.(ClockedStore); ok {
		return s.Clock().Now().UTC()
	}
	return time.Now().UTC()
}

// parameters returns the query of a request. CodeInvalid for a parameter that is unknown or a duplicate.
func parameters(req *http.Request, known ...string) (map[string]string, error) {
	out := map[string]string{}
	for name, values := range req.URL.Query() {
		switch {
		case name == "world": // of the sandbox
			return nil, engine.Errorf(engine.CodeInvalid, "operators", "A node has no worlds.").WithHint("Omit the parameter world.")
		case !slices.Contains(known, name):
			return nil, engine.Errorf(engine.CodeInvalid, "operators", "There is no parameter %.40q.", name).WithHint("Use " + strings.Join(known, ", ") + ".")
		case len(values) > 1:
			return nil, engine.Errorf(engine.CodeInvalid, "operators", "%s is set %d times.", name, len(values)).WithHint("Separate values by commas.")
		}
		out[name] = values[0]
	}
	return out, nil
}

// limitOf returns the parameter limit, or a default.
func limitOf(q map[string]string, otherwise, most int) (int, error) {
	s, ok := q["limit"]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most {
		return 0, engine.Errorf(engine.CodeInvalid, "operators", "limit must be a number from 1 to %d (got %.20q).", most, s)
	}
	return n, nil
}

// listOf returns the values of a parameter that separates them by commas. An empty parameter has none.
func listOf[T ~string](value string) (list []T) {
	if value == "" {
		return nil
	}
	for _, v := range strings.Split(value, ",") {
		list = append(list, T(v))
	}
	return list
}

// writeOperatorError writes an error in the form of the control API.
func writeOperatorError(w http.ResponseWriter, err error) {
	body := struct {
		Error string `json:"error"`
		Hint  string `json:"hint,omitempty"`
	}{Error: engine.Message(err)}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		body.Hint = e.Hint
	}
	writeOperatorJSON(w, api.StatusOf(engine.CodeOf(err)), body)
}

func writeOperatorJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
