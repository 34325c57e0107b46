package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Poll is a GET of a resource that may still be in progress.
type Poll struct {
	Key        string // identifies the polled resource
	Deliveries bool   // the client polls webhook deliveries
	// State returns the state that the client sees, and the Refs of the jobs that may change it.
	State func(context.Context) (state string, refs []string, err error)
}

// pollTarget returns the state of a resource for a caller; see Poll.
type pollTarget func(a *api, ctx context.Context, c engine.Caller, id string) (state string, refs []string, err error)

// pollTargets are the routes of resources that may still be in progress, by path.
var pollTargets = map[string]pollTarget{
	"/v1/recordings/{id}":                  pollRecording,
	"/v1/recordings/{id}/transcript":       pollRecording,
	"/v1/recordings/{id}/speakers":         pollRecording,
	"/v1/recordings/{id}/outputs":          pollOutputs,
	"/v1/recordings/{id}/clip-suggestions": pollSuggestions,
	"/v1/outputs/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		o, err := a.engine.GetOutput(ctx, c, engine.OutputID(id))
		return string(o.Status), jobRefs(o.Status, id), err
	},
	"/v1/chat/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		chat, err := a.engine.GetChat(ctx, c, engine.ChatID(id))
		return string(chat.Status), jobRefs(chat.Status, id), err
	},
	"/v1/imports/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		i, err := a.engine.GetImport(ctx, c, engine.ImportID(id))
		return string(i.Status), jobRefs(i.Status, id), err
	},
	"/v1/transcripts/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		t, err := a.engine.GetTranscript(ctx, c, engine.TranscriptID(id))
		return string(t.Status), jobRefs(t.Status, id), err
	},
	"/v1/renders/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		r, err := a.engine.GetRender(ctx, c, engine.RenderID(id))
		return string(r.Status), jobRefs(r.Status, id), err
	},
	"/v1/webhooks/{id}/deliveries": pollDeliveries,
}

func pollRecording(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	r, _, err := a.engine.GetRecording(ctx, c, engine.RecordingID(id))
	return string(r.TranscriptStatus), jobRefs(r.TranscriptStatus, string(r.TranscriptID)), err
}

// jobRefs returns the Ref of the jobs for a resource, or nothing when it is finished.
func jobRefs(status interface{ Over() bool }, id string) []string {
	if status.Over() {
		return nil
	}
	return []string{id}
}

// pollOutputs includes the transcript's state, because the first outputs follow the transcript.
func pollOutputs(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	state, ids, err := pollRecording(a, ctx, c, id)
	if err != nil {
		return "", nil, err
	}
	outputs, err := a.engine.ListOutputs(ctx, c, engine.RecordingID(id), "")
	var all strings.Builder
	all.WriteString(state)
	for _, o := range outputs {
		all.WriteString(" " + string(o.Status))
		ids = append(ids, jobRefs(o.Status, string(o.ID))...)
	}
	return all.String(), ids, err
}

func pollSuggestions(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	state, ids, err := pollRecording(a, ctx, c, id)
	if err != nil {
		return "", nil, err
	}
	found, err := a.engine.ListSuggestions(ctx, c, engine.RecordingID(id), false)
	if engine.CodeOf(err) == engine.CodeNotReady {
		err = nil
	}
	return state + " " + strconv.Itoa(len(found)), append(ids, id), err
}

func pollDeliveries(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	deliveries, err := a.engine.ListDeliveries(ctx, c, engine.WebhookID(id), engine.MaxPageSize)
	var state strings.Builder
	var ids []string
	for _, d := range deliveries {
		state.WriteString(string(d.Status) + strconv.Itoa(len(d.Attempts)) + " ")
		ids = append(ids, jobRefs(d.Status, string(d.ID))...)
	}
	return state.String(), ids, err
}

// observerHeader marks a read that must not change what it reads.
const observerHeader = "X-Soundstage-Observer"

// IsObserver reports whether a request only observes: the sandbox doesn't log it, no fault hits it, and it doesn't count as a poll. The
// console reads this way, so that looking at a recording neither moves its clock nor uses up a fault.
func IsObserver(req *http.Request) bool {
	return (req.Method == http.MethodGet || req.Method == http.MethodHead) && req.Header.Get(observerHeader) != ""
}

// poll calls Config.Polled if the request is a poll.
func (a *api) poll(req *http.Request, r route, c engine.Caller) {
	if a.polled == nil || req.Method != http.MethodGet || IsObserver(req) {
		return
	}
	look, ok := pollTargets[r.path]
	if !ok {
		return
	}
	id := req.PathValue("id")
	key := r.path
	if r.path == "/v1/recordings/{id}/transcript" || r.path == "/v1/recordings/{id}/speakers" {
		key = "/v1/recordings/{id}" // the same resource
	}
	a.polled(req.Context(), Poll{
		Key: key + " " + id, Deliveries: r.path == "/v1/webhooks/{id}/deliveries",
		State: func(ctx context.Context) (string, []string, error) { return look(a, ctx, c, id) },
	})
}
