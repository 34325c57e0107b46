package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// poll requests a path until done returns true, and returns the body.
func (r *rig) poll(path string, done func(map[string]any) bool) map[string]any {
	r.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; {
		v := r.do("GET", path, nil).want(200)
		if done(v) {
			return v
		}
		require.True(r.t, time.Now().Before(deadline), "%v", v)
		pause(r.t)
	}
}

// ids has the ID of one resource of each kind, by kind.
type ids map[string]string

// populate creates one resource of each kind for the rig's user.
func (r *rig) populate() ids { return r.populateHeard(false) }

// populateHeard is populate with the webhook before all others, if heard is set, so that it gets every event.
func (r *rig) populateHeard(heard bool) ids {
	r.t.Helper()
	space := r.do("GET", "/v1/spaces", nil).want(200)["spaces"].([]any)[0].(map[string]any)["id"].(string)
	in := ids{"space": space, "upload": r.upload("spare.wav", "audio/wav", []byte("spare"))}
	if heard {
		r.addWebhook(in)
	}
	in["recording"] = r.record("talk.wav", media(r.t, "conversation.wav"), map[string]any{"speakers_expected": 2})
	r.settled("/v1/recordings/"+in["recording"], "transcript_status")
	in["speaker"] = r.do("POST", "/v1/spaces/"+space+"/speakers", map[string]any{"name": "Ann"}).want(201)["speaker"].(map[string]any)["id"].(string)
	in["prompt"] = r.do("POST", "/v1/prompts", map[string]any{"name": "Jokes", "prompt": "Tell the jokes."}).want(201)["prompt"].(map[string]any)["id"].(string)
	in["output"] = r.do("POST", "/v1/recordings/"+in["recording"]+"/generate", map[string]any{"prompt": "Sum it up."}).want(202)["output_id"].(string)
	in["chat"] = r.do("POST", "/v1/chat", map[string]any{"message": "What is it about?", "recording_ids": []string{in["recording"]}}).want(202)["chat_id"].(string)
	in["import"] = r.do("POST", "/v1/imports", map[string]any{"url": "https://www.youtube.com/watch?v=one"}).want(202)["import_id"].(string)
	in["transcript"] = r.do("POST", "/v1/transcripts", map[string]any{"url": "https://www.youtube.com/watch?v=two"}).want(201)["id"].(string)
	if !heard {
		r.addWebhook(in)
	}
	in["render"] = r.do("POST", "/v1/renders", map[string]any{"recording_id": in["recording"], "start_ms": 0, "end_ms": 1200}).want(202)["render"].(map[string]any)["id"].(string)
	r.do("GET", "/v1/recordings/"+in["recording"]+"/clip-suggestions?generate=true", nil).want(200)
	found := r.poll("/v1/recordings/"+in["recording"]+"/clip-suggestions", func(v map[string]any) bool { return v["count"].(float64) > 0 })
	in["suggestion"] = found["suggestions"].([]any)[0].(map[string]any)["id"].(string)
	return in
}

func (r *rig) addWebhook(in ids) {
	r.t.Helper()
	in["webhook"] = r.do("POST", "/v1/webhooks", map[string]any{"url": "http://127.0.0.1:9/hook", "events": []string{"output.completed"}}).want(201)["webhook"].(map[string]any)["id"].(string)
	in["delivery"] = r.do("POST", "/v1/webhooks/"+in["webhook"]+"/test", nil).want(202)["delivery"].(map[string]any)["id"].(string)
}

// fill replaces each {kind} in a text by its ID.
func fill(text string, with ids) string {
	for kind, id := range with {
		text = strings.ReplaceAll(text, "{"+kind+"}", id)
	}
	return text
}

// newPopulatedUsers returns two users with one resource of each kind.
func newPopulatedUsers(t *testing.T) (first, other *rig, mine, theirs ids) {
	t.Helper()
	first = newRig(t, emulator.Options{AllowPrivateURLs: true})
	other = first.as("sk_sandbox_other")
	return first, other, first.populate(), other.populate()
}

// isFinal reports whether a resource's status is final.
func isFinal(v map[string]any) bool {
	switch v["status"] {
	case "completed", "failed", "error", "canceled":
		return true
	}
	return false
}
