package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Poll is a look at something that may not be over.
type Poll struct {
	Key        string // names what is looked at, among all that can be
	Deliveries bool   // whether it is about deliveries of webhooks
	// Look returns its state, as it differs for the client, and the ids that jobs about it have as their Ref.
	Look func(context.Context) (state string, refs []string, err error)
}

// look finds the state of something for a caller; see Poll.
type look func(a *api, ctx context.Context, c engine.Caller, id string) (state string, refs []string, err error)

// looks are the routes that look at something that may not be over, by path.
var looks = map[string]look{
	"/v1/recordings/{id}":                  lookRecording,
	"/v1/recordings/{id}/transcript":       lookRecording,
	"/v1/recordings/{id}/speakers":         lookRecording,
	"/v1/recordings/{id}/outputs":          lookOutputs,
	"/v1/recordings/{id}/clip-suggestions": lookSuggestions,
	"/v1/outputs/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		o, err := a.engine.GetOutput(ctx, c, engine.OutputID(id))
		return string(o.Status), refs(o.Status, id), err
	},
	"/v1/chat/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		chat, err := a.engine.GetChat(ctx, c, engine.ChatID(id))
		return string(chat.Status), refs(chat.Status, id), err
	},
	"/v1/imports/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		i, err := a.engine.GetImport(ctx, c, engine.ImportID(id))
		return string(i.Status), refs(i.Status, id), err
	},
	"/v1/transcripts/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		t, err := a.engine.GetTranscript(ctx, c, engine.TranscriptID(id))
		return string(t.Status), refs(t.Status, id), err
	},
	"/v1/renders/{id}": func(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
		r, err := a.engine.GetRender(ctx, c, engine.RenderID(id))
		return string(r.Status), refs(r.Status, id), err
	},
	"/v1/webhooks/{id}/deliveries": lookDeliveries,
}

func lookRecording(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	r, _, err := a.engine.GetRecording(ctx, c, engine.RecordingID(id))
	return string(r.TranscriptStatus), refs(r.TranscriptStatus, string(r.TranscriptID)), err
}

// refs is what jobs about a thing have as their Ref: nothing, when there are none any more.
func refs(status interface{ Over() bool }, id string) []string {
	if status.Over() {
		return nil
	}
	return []string{id}
}

// lookOutputs looks at the transcript too, which a recording's first outputs are made after.
func lookOutputs(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	state, ids, err := lookRecording(a, ctx, c, id)
	if err != nil {
		return "", nil, err
	}
	outputs, err := a.engine.ListOutputs(ctx, c, engine.RecordingID(id), "")
	var all strings.Builder
	all.WriteString(state)
	for _, o := range outputs {
		all.WriteString(" " + string(o.Status))
		ids = append(ids, refs(o.Status, string(o.ID))...)
	}
	return all.String(), ids, err
}

func lookSuggestions(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	state, ids, err := lookRecording(a, ctx, c, id)
	if err != nil {
		return "", nil, err
	}
	found, err := a.engine.ListSuggestions(ctx, c, engine.RecordingID(id), false)
	if engine.CodeOf(err) == engine.CodeNotReady {
		err = nil
	}
	return state + " " + strconv.Itoa(len(found)), append(ids, id), err
}

func lookDeliveries(a *api, ctx context.Context, c engine.Caller, id string) (string, []string, error) {
	deliveries, err := a.engine.ListDeliveries(ctx, c, engine.WebhookID(id), engine.MaxPageSize)
	var state strings.Builder
	var ids []string
	for _, d := range deliveries {
		state.WriteString(string(d.Status) + strconv.Itoa(len(d.Attempts)) + " ")
		ids = append(ids, refs(d.Status, string(d.ID))...)
	}
	return state.String(), ids, err
}

// poll tells of a look at something that may not be over.
func (a *api) poll(req *http.Request, r route, c engine.Caller) {
	if a.polled == nil || req.Method != http.MethodGet {
		return
	}
	look, ok := looks[r.path]
	if !ok {
		return
	}
	id := req.PathValue("id")
	key := r.path
	if r.path == "/v1/recordings/{id}/transcript" || r.path == "/v1/recordings/{id}/speakers" {
		key = "/v1/recordings/{id}" // the same thing, looked at from another side
	}
	a.polled(req.Context(), Poll{
		Key: key + " " + id, Deliveries: r.path == "/v1/webhooks/{id}/deliveries",
		Look: func(ctx context.Context) (string, []string, error) { return look(a, ctx, c, id) },
	})
}
