package conformance_test

import (
	"crypto/rand"
	"net/http"
)

// webhookMistakes returns mistakes about webhook subscriptions.
func webhookMistakes() []mistake {
	const hooks, hook = "/v1/webhooks$", "/v1/webhooks/*$"
	return []mistake{
		{name: "a secret is shown again", method: "GET", path: hook, edit: func(v map[string]any) {
			if w, ok := v["webhook"].(map[string]any); ok {
				w["secret"] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
			}
		}, fails: []string{"webhooks.secret-once"}},
		{name: "secrets are shown in the list", method: "GET", path: hooks, edit: every("webhooks", func(w map[string]any) { w["secret"] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
			fails: []string{"webhooks.secret-once"}},
		{name: "a secret is too short", method: "POST", path: hooks, edit: set("whsec_1", "webhook", "secret"), fails: []string{"webhooks.create.secret", "webhooks.rotate-secret", "webhooks.headers.signature"}},
		{name: "a webhook returns 200", method: "POST", path: hooks, status: [2]int{201, 200}, fails: []string{"webhooks.create.status-201"}},
		{name: "any event is accepted", method: "POST", path: hooks, request: replaceBody("recording.deleted", "output.completed"), fails: []string{"webhooks.create.known-events"}},
		{name: "deleting returns 200", method: "DELETE", path: hook, status: [2]int{204, 200}, fails: []string{"webhooks.delete.status-204", "answers.json"}},
		{name: "deleted webhooks are still readable", method: "GET", path: hook, status: [2]int{404, 200}, fails: []string{"isolation.webhooks", "webhooks.get.unknown", "webhooks.delete.gone"}},
		{name: "a webhook can't be disabled", method: "PATCH", path: hook, edit: set(false, "webhook", "disabled"), fails: []string{"webhooks.update"}},
		{name: "410 doesn't disable", method: "GET", path: hook, edit: set(false, "webhook", "disabled"), fails: []string{"webhooks.gone-disables"}},
		{name: "a test returns 200", method: "POST", path: "/v1/webhooks/*/test$", status: [2]int{202, 200}, fails: []string{"webhooks.test"}},
		{name: "rotation keeps the secret", method: "POST", path: "/v1/webhooks/*/rotate-secret$", edit: set("whsec_1", "webhook", "secret"), fails: []string{"webhooks.rotate-secret"}},
		{name: "deliveries have no attempts", method: "GET", path: "/v1/webhooks/*/deliveries$", edit: every("deliveries", drop("attempts")), fails: []string{"webhooks.deliveries"}},
		{name: "a replay returns 200", method: "POST", path: "/v1/webhooks/*/deliveries/*/replay$", status: [2]int{202, 200}, fails: []string{"webhooks.replay"}},
	}
}

// eventMistakes returns mistakes about the events that a server sends to webhooks.
func eventMistakes() []mistake {
	header := func(name, value string) func(http.Header, map[string]any) {
		return func(h http.Header, _ map[string]any) { h.Set(name, value) }
	}
	data := func(change func(map[string]any)) func(http.Header, map[string]any) {
		return func(_ http.Header, v map[string]any) { change(v) }
	}
	return []mistake{
		{name: "a wrong signature", event: header("webhook-signature", "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), fails: []string{"webhooks.rotate-secret", "webhooks.headers.signature"}},
		{name: "the signature has version 2", event: func(h http.Header, _ map[string]any) { h.Set("webhook-signature", "v2"+h.Get("webhook-signature")[2:]) }, fails: []string{"webhooks.rotate-secret", "webhooks.headers.signature"}},
		{name: "an event has no id", event: header("webhook-id", ""), fails: []string{"webhooks.rotate-secret", "webhooks.headers.id", "webhooks.headers.signature", "webhooks.retry.same-id", "webhooks.no-redirects", "webhooks.replay"}},
		{name: "each attempt has another id", event: func(h http.Header, _ map[string]any) { h.Set("webhook-id", rand.Text()) }, fails: []string{"webhooks.rotate-secret", "webhooks.headers.signature", "webhooks.retry.same-id", "webhooks.no-redirects", "webhooks.replay"}},
		{name: "the timestamp is not a number", event: header("webhook-timestamp", "today"), fails: []string{"webhooks.rotate-secret", "webhooks.headers.timestamp", "webhooks.headers.signature"}},
		{name: "an event is plain text", event: header("Content-Type", "text/plain"), fails: []string{"webhooks.headers.content-type"}},
		{name: "an event has no timestamp", event: data(drop("timestamp")), fails: []string{"webhooks.payload.timestamp"}},
		{name: "an event has no space_id", event: data(drop("data", "space_id")), fails: []string{"webhooks.payload.transcript"}},
		{name: "an event has another status", event: data(set("queued", "data", "status")), fails: []string{"webhooks.payload.output"}},
		{name: "events have another type", event: data(set("transcript.done", "type")), fails: []string{"events.transcript-completed", "events.output-completed"}},
	}
}
