package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// webhookStage returns a stage with a Sender. Its engine isn't running.
func webhookStage(t *testing.T, check func(string) error) *stage {
	t.Helper()
	return newStage(t, engine.Config{Sender: &recorder{post: replies(200), check: check}})
}

func validWebhook() engine.NewWebhook {
	return engine.NewWebhook{URL: "https://receiver.example/hook", Events: engine.EventTypes()}
}

// An invalid webhook is refused with a message, and none is created.
func TestWebhookRefusals(t *testing.T) {
	t.Parallel()
	s := webhookStage(t, func(url string) error {
		switch {
		case strings.Contains(url, "private"):
			return engine.Errorf(engine.CodeNotPublic, "Check", "10.0.0.1 is private.")
		case strings.Contains(url, "port"):
			return engine.Errorf(engine.CodeInvalid, "Check", "url uses port 22, which is not allowed.")
		}
		return nil
	})
	among := "events must be among transcript.completed and output.completed."
	if more := engine.EventTypes()[2:]; len(more) > 0 {
		among = engine.Message(engine.NewWebhook{URL: "http://a/", Events: []engine.EventType{"x"}}.Validate())
		for _, event := range engine.EventTypes() {
			require.Contains(t, among, event)
		}
	}
	for name, c := range map[string]struct {
		change func(*engine.NewWebhook)
		code   engine.Code
		want   string
	}{
		"no url":           {func(n *engine.NewWebhook) { n.URL = " " }, engine.CodeInvalid, "url is required."},
		"no http url":      {func(n *engine.NewWebhook) { n.URL = "ftp://a/b" }, engine.CodeInvalid, "url must be a valid http or https address."},
		"not public":       {func(n *engine.NewWebhook) { n.URL = "http://private/" }, engine.CodeNotPublic, "url must resolve to a public address"},
		"a bad port":       {func(n *engine.NewWebhook) { n.URL = "http://port:22/" }, engine.CodeInvalid, "url uses port 22, which is not allowed."},
		"no events":        {func(n *engine.NewWebhook) { n.Events = nil }, engine.CodeInvalid, "events must name at least one event."},
		"an unknown event": {func(n *engine.NewWebhook) { n.Events = []engine.EventType{"x"} }, engine.CodeInvalid, among},
		"an event twice": {func(n *engine.NewWebhook) { n.Events = append(n.Events, n.Events[0]) }, engine.CodeInvalid,
			"events names transcript.completed twice."},
		"a broken description": {func(n *engine.NewWebhook) { n.Description = "\xff" }, engine.CodeInvalid, "description is not valid UTF-8."},
		"an unknown space":     {func(n *engine.NewWebhook) { n.SpaceID = "nowhere" }, engine.CodeNotFound, "No space with this id was found."},
	} {
		n := validWebhook()
		c.change(&n)
		_, secret, err := s.CreateWebhook(t.Context(), s.caller, n)
		require.Equal(t, c.code, engine.CodeOf(err), name)
		require.Equal(t, c.want, engine.Message(err), name)
		require.Empty(t, secret, name)
	}
	hooks, err := s.ListWebhooks(t.Context(), s.caller)
	require.NoError(t, err)
	require.Empty(t, hooks)
}

// Without a Sender, every method that sends fails and names what is missing.
func TestWebhooksNeedASender(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	_, _, err := s.CreateWebhook(t.Context(), s.caller, validWebhook())
	requireCode(t, engine.CodeUnavailable, err)
	_, err = s.TestWebhook(t.Context(), s.caller, "id")
	requireCode(t, engine.CodeUnavailable, err)
	_, err = s.ReplayDelivery(t.Context(), s.caller, "id", "id")
	requireCode(t, engine.CodeUnavailable, err)
	url := "https://other.example/"
	_, err = s.UpdateWebhook(t.Context(), s.caller, "id", engine.WebhookChange{URL: &url})
	requireCode(t, engine.CodeUnavailable, err)
}

// A webhook can be listed, read, changed field by field, and deleted. Its secret is returned only when it is created.
func TestWebhookLife(t *testing.T) {
	t.Parallel()
	s := webhookStage(t, nil)
	ctx := t.Context()
	n := validWebhook()
	n.SpaceID, n.Description = "space", "Ours"
	w, secret, err := s.CreateWebhook(ctx, s.caller, n)
	require.NoError(t, err)
	require.NotEmpty(t, secret)
	require.Equal(t, engine.Webhook{
		ID: w.ID, UserID: "user", AccountID: "account", SpaceID: "space", URL: n.URL, Events: n.Events, Description: "Ours",
		CreatedAt: w.CreatedAt, UpdatedAt: w.CreatedAt,
	}, w)
	got, err := s.GetWebhook(ctx, s.caller, w.ID)
	require.NoError(t, err)
	require.Equal(t, w, got)

	unchanged, err := s.UpdateWebhook(ctx, s.caller, w.ID, engine.WebhookChange{})
	require.NoError(t, err)
	unchanged.UpdatedAt = w.UpdatedAt
	require.Equal(t, w, unchanged)
	url, off, text := "http://other.example/", true, ""
	changed, err := s.UpdateWebhook(ctx, s.caller, w.ID, engine.WebhookChange{
		URL: &url, Events: n.Events[1:], Disabled: &off, Description: &text,
	})
	require.NoError(t, err)
	require.Equal(t, []any{url, n.Events[1:], true, ""}, []any{changed.URL, changed.Events, changed.Disabled, changed.Description})
	for _, bad := range []engine.WebhookChange{{URL: &text}, {Events: []engine.EventType{}}, {Events: []engine.EventType{"x"}}} {
		_, err = s.UpdateWebhook(ctx, s.caller, w.ID, bad)
		requireCode(t, engine.CodeInvalid, err)
	}
	hooks, err := s.ListWebhooks(ctx, s.caller)
	require.NoError(t, err)
	require.Equal(t, []engine.Webhook{changed}, hooks)

	require.NoError(t, s.DeleteWebhook(ctx, s.caller, w.ID))
	_, err = s.GetWebhook(ctx, s.caller, w.ID)
	requireCode(t, engine.CodeNotFound, err)
	requireCode(t, engine.CodeNotFound, s.DeleteWebhook(ctx, s.caller, w.ID))
}

// A new URL of a webhook is checked like the first one.
func TestWebhookMoveIsChecked(t *testing.T) {
	t.Parallel()
	private := atomic.Bool{}
	s := webhookStage(t, func(string) error {
		if private.Load() {
			return engine.Errorf(engine.CodeNotPublic, "", "")
		}
		return nil
	})
	w, _, err := s.CreateWebhook(t.Context(), s.caller, validWebhook())
	require.NoError(t, err)
	private.Store(true)
	url := "https://moved.example/"
	_, err = s.UpdateWebhook(t.Context(), s.caller, w.ID, engine.WebhookChange{URL: &url})
	requireCode(t, engine.CodeNotPublic, err)
	got, err := s.GetWebhook(t.Context(), s.caller, w.ID)
	require.NoError(t, err)
	require.Equal(t, w.URL, got.URL)
}

// Another user's webhook and delivery look missing to every method.
func TestWebhookIsolation(t *testing.T) {
	t.Parallel()
	s := webhookStage(t, nil)
	ctx := t.Context()
	w, _, err := s.CreateWebhook(ctx, s.caller, validWebhook())
	require.NoError(t, err)
	d, err := s.TestWebhook(ctx, s.caller, w.ID)
	require.NoError(t, err)
	other, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	for name, try := range map[string]func(engine.WebhookID, engine.DeliveryID) error{
		"get": func(id engine.WebhookID, _ engine.DeliveryID) error {
			_, err := s.GetWebhook(ctx, other, id)
			return err
		},
		"rotate": func(id engine.WebhookID, _ engine.DeliveryID) error {
			_, _, err := s.RotateWebhookSecret(ctx, other, id)
			return err
		},
		"update": func(id engine.WebhookID, _ engine.DeliveryID) error {
			_, err := s.UpdateWebhook(ctx, other, id, engine.WebhookChange{})
			return err
		},
		"delete": func(id engine.WebhookID, _ engine.DeliveryID) error { return s.DeleteWebhook(ctx, other, id) },
		"test": func(id engine.WebhookID, _ engine.DeliveryID) error {
			_, err := s.TestWebhook(ctx, other, id)
			return err
		},
		"list": func(id engine.WebhookID, _ engine.DeliveryID) error {
			_, err := s.ListDeliveries(ctx, other, id, 0)
			return err
		},
		"replay": func(hook engine.WebhookID, id engine.DeliveryID) error {
			_, err := s.ReplayDelivery(ctx, other, hook, id)
			return err
		},
	} {
		theirs, missing := try(w.ID, d.ID), try("nothing", "nothing")
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(theirs), name)
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(missing), name)
		require.Equal(t, engine.Message(missing), engine.Message(theirs), name)
	}
	_, err = s.GetWebhook(ctx, s.caller, w.ID)
	require.NoError(t, err, "it must be unchanged")
}

// A user has at most a hundred webhooks, even if many are created concurrently.
func TestWebhookLimit(t *testing.T) {
	t.Parallel()
	s := webhookStage(t, nil)
	var made, refused atomic.Int32
	var all sync.WaitGroup
	for range engine.MaxWebhooks + 20 {
		all.Go(func() {
			_, _, err := s.CreateWebhook(context.Background(), s.caller, validWebhook())
			if err == nil {
				made.Add(1)
			} else if engine.CodeOf(err) == engine.CodeConflict {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, int32(engine.MaxWebhooks), made.Load())
	require.Equal(t, int32(20), refused.Load())
}

// An event goes to each enabled and subscribed webhook of the space's members, with one id. URL transcriptions have no event.
func TestSubscribers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		ctx := t.Context()
		elsewhere, err := s.CreateSpace(ctx, s.caller, engine.Space{Name: "Elsewhere"})
		require.NoError(t, err)
		member, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Member"})
		require.NoError(t, err)
		require.NoError(t, s.store.Update(ctx, func(tx engine.Tx) error { return tx.AddMember("space", member.UserID) }))
		stranger, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Stranger"})
		require.NoError(t, err)

		s.hook(engine.NewWebhook{URL: "https://receiver.example/everywhere"})
		s.hook(engine.NewWebhook{URL: "https://receiver.example/here", SpaceID: "space", Events: engine.EventTypes()})
		s.hook(engine.NewWebhook{URL: "https://receiver.example/elsewhere", SpaceID: elsewhere.ID})
		s.hook(engine.NewWebhook{URL: "https://receiver.example/outputs", Events: []engine.EventType{engine.EventOutputCompleted}})
		off, yes := must(s.hook(engine.NewWebhook{URL: "https://receiver.example/off"})), true
		_, err = s.UpdateWebhook(ctx, s.caller, off.ID, engine.WebhookChange{Disabled: &yes})
		require.NoError(t, err)
		mine := s.caller
		s.caller = member
		s.hook(engine.NewWebhook{URL: "https://receiver.example/member"})
		s.caller = stranger
		s.hook(engine.NewWebhook{URL: "https://receiver.example/stranger"})
		s.caller = mine

		tr, err := s.CreateTranscript(ctx, s.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
		require.NoError(t, err)
		_, err = s.WaitTranscript(ctx, s.caller, tr.ID)
		require.NoError(t, err)
		synctest.Wait()
		require.Empty(t, s.sent())

		s.complete()
		var urls []string
		ids := map[string]bool{}
		for _, r := range s.sent() {
			urls = append(urls, strings.TrimPrefix(r.URL, "https://receiver.example/"))
			ids[r.Header["webhook-id"]] = true
		}
		require.ElementsMatch(t, []string{"everywhere", "here", "member"}, urls)
		require.Len(t, ids, 1)
	})
}

func must(w engine.Webhook, _ string) engine.Webhook { return w }

// The payloads are exactly the documented ones, and the headers are those of Standard Webhooks.
func TestPayloads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(204))
		w, _ := s.hook(engine.NewWebhook{Events: engine.EventTypes()})
		r := s.complete()
		for _, prompt := range []engine.PromptID{"prompt", ""} {
			require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
				return engine.EmitOutput(s.Engine, tx, engine.Output{
					ID: "output", RecordingID: r.ID, SpaceID: "space", PromptID: prompt, Type: engine.OutputDynamic, Status: engine.OutputCompleted,
				})
			}))
		}
		s.test(w.ID)
		onlyOutputs, _ := s.hook(engine.NewWebhook{Events: []engine.EventType{engine.EventOutputCompleted}})
		s.test(onlyOutputs.ID)
		const nobody = "00000000-0000-0000-0000-000000000000"
		want := []string{
			`{"type":"transcript.completed","timestamp":"2000-01-01T00:00:00Z","data":{"recording_id":"` + string(r.ID) + `","space_id":"space","transcript_status":"completed"}}`,
			`{"type":"output.completed","timestamp":"2000-01-01T00:00:00Z","data":{"output_id":"output","output_type":"dynamic","prompt_id":"prompt","recording_id":"` + string(r.ID) + `","status":"completed"}}`,
			`{"type":"output.completed","timestamp":"2000-01-01T00:00:00Z","data":{"output_id":"output","output_type":"dynamic","prompt_id":null,"recording_id":"` + string(r.ID) + `","status":"completed"}}`,
			`{"type":"transcript.completed","timestamp":"2000-01-01T00:00:00Z","data":{"recording_id":"` + nobody + `","space_id":"` + nobody + `","transcript_status":"completed"}}`,
			`{"type":"output.completed","timestamp":"2000-01-01T00:00:00Z","data":{"output_id":"` + nobody + `","output_type":"dynamic","prompt_id":"` + nobody + `","recording_id":"` + nobody + `","status":"completed"}}`,
		}
		var bodies []string
		for _, req := range s.sent() {
			require.True(t, json.Valid(req.Body))
			bodies = append(bodies, string(req.Body))
			require.Len(t, req.Header, 4)
			require.Equal(t, "application/json", req.Header["content-type"])
			require.Equal(t, "946684800", req.Header["webhook-timestamp"])
			require.Regexp(t, `^[0-9a-f-]{36}$`, req.Header["webhook-id"])
			require.Regexp(t, `^v1,[A-Za-z0-9+/]{43}=$`, req.Header["webhook-signature"])
		}
		require.ElementsMatch(t, want, bodies)
	})
}

// A failed transcription and a failed output send no event, because both events say that something finished.
func TestFailuresSendNoEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := engine.Errorf(engine.CodeBadMedia, "Test", "broken")
		deaf := false
		s := newHookStage(t, engine.Config{
			Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
				if deaf {
					return engine.Transcription{}, broken
				}
				return hears("Hello")(ctx, req)
			}),
			LLM: drafts(func(context.Context, engine.WriteRequest) (string, error) { return "", broken }),
		}, replies(200))
		w, _ := s.hook(engine.NewWebhook{Events: engine.EventTypes()})
		r := s.complete()
		require.Len(t, s.deliveries(w.ID), 1, "the recording's")

		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Write."})
		require.NoError(t, err)
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.Error(t, err)
		require.Equal(t, engine.OutputFailed, o.Status)
		deaf = true
		r, err = s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.Error(t, err)
		require.Equal(t, engine.TranscriptError, r.TranscriptStatus)
		synctest.Wait()
		require.Len(t, s.deliveries(w.ID), 1)
	})
}
