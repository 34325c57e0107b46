package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// subscribe creates a webhook to a path of the receiver, such as "/ok/x". It is deleted when the run ends.
func (p *probe) subscribe(path string, events ...string) answer {
	if p.session.hooks == nil {
		p.skip("the run has no address to receive webhooks on")
	}
	if len(events) == 0 {
		events = []string{"transcript.completed", "output.completed"}
	}
	a := p.post("/v1/webhooks", fmt.Sprintf(`{"url":%q,"events":["%s"],"description":"{name}"}`, p.session.hooks.url+path, strings.Join(events, `","`)))
	if a.status == http.StatusBadRequest && p.session.config.loopback() {
		if _, v := attempt(p, "transcript of a URL", makeTranscript); v.outcome == NotApplicable { // it doesn't download from this machine either
			p.skip("the server sends no webhooks to this machine; start a sandbox with --allow-private-urls")
		}
	}
	if a.status < 300 {
		if id, ok := first(a, "webhook.id", "id").(string); ok {
			p.deleteLater("/v1/webhooks/" + id)
		}
	}
	return a
}

// aWebhook returns a webhook for both events.
func aWebhook(p *probe) answer {
	return once(p, "webhook", func(p *probe) answer { return p.subscribe("/ok/main").ok() }).reportTo(p)
}

// webhookID returns the id of a created webhook.
func webhookID(a answer) string { return a.text("webhook.id") }

// deleted returns the answers to the DELETE of a webhook and to a GET after it.
func deleted(p *probe) [2]answer {
	return once(p, "deleted webhook", func(p *probe) [2]answer {
		path := "/v1/webhooks/" + webhookID(p.subscribe("/ok/deleted").ok())
		return [2]answer{p.delete(path), p.get(path)}
	})
}

// changedWebhook returns a webhook after an update of every field.
func changedWebhook(p *probe) answer {
	return once(p, "changed webhook", func(p *probe) answer {
		a := p.subscribe("/ok/changed").ok()
		return p.patch("/v1/webhooks/"+webhookID(a), fmt.Sprintf(`{"url":%q,"events":["output.completed"],"disabled":true}`, p.session.hooks.url+"/ok/elsewhere")).ok()
	}).reportTo(p)
}

var webhookChecks = []check{
	{"events.subscribe", func(p *probe) { p.subscribe("/ok/subscribed").accepted() }},
	{"webhooks.create.status-201", func(p *probe) { aWebhook(p).want(201) }},
	{"webhooks.create.body", func(p *probe) {
		aWebhook(p).is("webhook", object).is("webhook.id", filled).is("webhook.url", equal(p.session.hooks.url+"/ok/main")).is("webhook.events", arrayOf(text))
	}},
	{"webhooks.create.secret", has(aWebhook, "webhook.secret", like("whsec_ and base64", `^whsec_[A-Za-z0-9+/]{32,}={0,2}$`))},
	{"webhooks.secret-once", func(p *probe) {
		a := p.get("/v1/webhooks/" + webhookID(aWebhook(p))).ok()
		p.want(a, !strings.Contains(string(a.body), "whsec_"), "no secret", "a secret")
		b := p.get("/v1/webhooks").ok()
		p.want(b, !strings.Contains(string(b.body), "whsec_"), "no secret", "a secret")
	}},
	{"webhooks.create.url-required", answers("POST", "/v1/webhooks", `{"events":["output.completed"]}`, 400)},
	{"webhooks.create.events-required", answers("POST", "/v1/webhooks", `{"url":"https://example.com/hook","events":[]}`, 400)},
	{"webhooks.create.known-events", answers("POST", "/v1/webhooks", `{"url":"https://example.com/hook","events":["recording.deleted"]}`, 400)},
	{"webhooks.list", func(p *probe) {
		id := webhookID(aWebhook(p))
		a := p.get("/v1/webhooks").want(200).is("webhooks", arrayOf(object)).is("count", integer)
		p.want(a, slices.Contains(idsOf(a.list("webhooks")), id), "the created webhook", a.value)
	}},
	{"webhooks.get", func(p *probe) {
		id := webhookID(aWebhook(p))
		p.get("/v1/webhooks/"+id).want(200).is("webhook", object).is("webhook.id", equal(id))
	}},
	{"webhooks.get.unknown", answers("GET", "/v1/webhooks/{missing}", "", 404)},
	{"webhooks.update", func(p *probe) {
		a := changedWebhook(p).want(200).is("webhook.disabled", truth(true)).is("webhook.url", equal(p.session.hooks.url+"/ok/elsewhere"))
		p.want(a, show(first(a, "webhook.events")) == `["output.completed"]`, `["output.completed"]`, first(a, "webhook.events"))
	}},
	{"webhooks.delete.status-204", func(p *probe) { deleted(p)[0].reportTo(p).want(204) }},
	{"webhooks.delete.gone", func(p *probe) { deleted(p)[1].reportTo(p).want(404) }},
	{"webhooks.rotate-secret", func(p *probe) {
		a := p.subscribe("/ok/rotated").ok()
		b := p.post("/v1/webhooks/"+webhookID(a)+"/rotate-secret", "{}").want(200)
		fresh, old := b.text("webhook.secret"), a.text("webhook.secret")
		p.want(b, fresh != old, "a new secret", "the same secret")
		p.post("/v1/webhooks/"+webhookID(a)+"/test", "{}").ok()
		p.await("/ok/rotated", "an event signed with both secrets", func(all []received) bool {
			return slices.ContainsFunc(all, func(r received) bool { return signedBy(fresh, r.header, r.body) && signedBy(old, r.header, r.body) })
		})
	}},
}
