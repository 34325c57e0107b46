package conformance

import (
	"fmt"
	"strconv"
	"time"
)

// event waits for an event of a type whose data has a member, sent to the main webhook.
func (p *probe) event(kind, name, value string) received {
	aWebhook(p)
	var found received
	p.await("/ok/main", kind+" of "+value, func(all []received) bool {
		for _, r := range all {
			if is(r.value, "type", kind) && is(r.value, "data."+name, value) {
				found = r
				return true
			}
		}
		return false
	})
	return found
}

// transcribedEvent is the event of a recording that was made after the webhook.
func transcribedEvent(p *probe) received {
	return once(p, "event of a transcription", makeTranscribedEvent)
}

func makeTranscribedEvent(p *probe) received {
	aWebhook(p)
	r := p.record(p.named("event")+".aac", "audio/aac", mediaFile("talk.aac"), "", "")
	return p.event("transcript.completed", "recording_id", r.id)
}

// generatedEvent is the event of an output that was asked for after the webhook was made.
func generatedEvent(p *probe) received { return once(p, "event of an output", makeGeneratedEvent) }

func makeGeneratedEvent(p *probe) received {
	aWebhook(p)
	a := p.post("/v1/recordings/{recording}/generate", `{"prompt":"Name one sentence."}`).ok()
	return p.event("output.completed", "output_id", a.text("output_id"))
}

// tested is the event that POST …/test sends to a webhook of its own.
func (p *probe) tested(path string, enough int) (webhook answer, got []received) {
	webhook = p.subscribe(path).ok()
	p.post("/v1/webhooks/"+webhookID(webhook)+"/test", "{}").ok()
	return webhook, p.await(path, show(enough)+" requests of a test event", func(r []received) bool { return len(r) >= enough })
}

// eventually polls a path until a check of the answer holds.
func (p *probe) eventually(path, what string, holds func(answer) bool) answer {
	deadline := time.Now().Add(p.session.config.Timeout)
	for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
		a := p.get(path).ok()
		if holds(a) {
			return a
		}
		if time.Now().After(deadline) {
			p.fail(a, what, show(a.value))
		}
		p.pause(pause)
	}
}

// eventHas checks a member of an event's body.
func eventHas(of func(*probe) received, path string, s shape) func(*probe) {
	return func(p *probe) {
		v, ok := member(of(p).value, path)
		p.want(answer{}, ok && s.fits(v), path+": "+s.name, show(of(p).value))
	}
}

// delivery is the newest delivery of a webhook, when it has one that was tried.
func (p *probe) delivery(id string) answer {
	return p.eventually("/v1/webhooks/"+id+"/deliveries", "a delivery with an attempt", func(a answer) bool {
		attempts, _ := a.at("deliveries.0.attempts")
		list, _ := attempts.([]any)
		return len(list) > 0
	})
}

var deliveryChecks = []check{
	{"events.transcript-completed", func(p *probe) { decides(p, "event of a transcription", makeTranscribedEvent) }},
	{"events.output-completed", func(p *probe) { decides(p, "event of an output", makeGeneratedEvent) }},
	{"webhooks.payload.timestamp", eventHas(transcribedEvent, "timestamp", stamp)},
	{"webhooks.payload.transcript", all(eventHas(transcribedEvent, "data.space_id", filled), eventHas(transcribedEvent, "data.transcript_status", equal("completed")))},
	{"webhooks.payload.output", all(eventHas(generatedEvent, "data.output_type", equal("dynamic")), eventHas(generatedEvent, "data.prompt_id", null),
		eventHas(generatedEvent, "data.status", equal("completed")), func(p *probe) { eventHas(generatedEvent, "data.recording_id", equal(talk(p).id))(p) })},
	{"webhooks.headers.id", func(p *probe) {
		id := transcribedEvent(p).header.Get("webhook-id")
		p.want(answer{}, id != "" && id != generatedEvent(p).header.Get("webhook-id"), "an id of its own for each event", id)
	}},
	{"webhooks.headers.timestamp", func(p *probe) {
		e := transcribedEvent(p)
		sec, err := strconv.ParseInt(e.header.Get("webhook-timestamp"), 10, 64)
		apart := e.at.Sub(time.Unix(sec, 0)).Abs()
		p.want(answer{}, err == nil && apart < 5*time.Minute, "the time in seconds since 1970", e.header.Get("webhook-timestamp"))
	}},
	{"webhooks.headers.signature", func(p *probe) {
		e := transcribedEvent(p)
		p.want(answer{}, signedBy(aWebhook(p).text("webhook.secret"), e.header, e.body), "v1,<base64 HMAC-SHA256 of id.timestamp.body>", e.header.Get("webhook-signature"))
	}},
	{"webhooks.headers.content-type", func(p *probe) {
		e := transcribedEvent(p)
		p.want(answer{}, e.header.Get("Content-Type") == "application/json", "Content-Type application/json", e.header.Get("Content-Type"))
	}},
	{"webhooks.test", func(p *probe) {
		a := p.subscribe("/ok/test").ok()
		p.post("/v1/webhooks/"+webhookID(a)+"/test", "{}").want(202)
		p.await("/ok/test", "a test event", func(r []received) bool { return len(r) > 0 })
	}},
	{"webhooks.retry.same-id", func(p *probe) {
		_, got := p.tested("/retry/again", 2)
		id := got[0].header.Get("webhook-id")
		p.want(answer{}, id == got[1].header.Get("webhook-id"), "the id "+id+" again", got[1].header.Get("webhook-id"))
	}},
	{"webhooks.no-redirects", func(p *probe) {
		p.tested("/moved/away", 2) // the second try tells that the redirect was a failure
		followed, _ := p.session.hooks.requests("/ok/redirected")
		p.want(answer{}, len(followed) == 0, "no request to where a redirect leads", len(followed))
	}},
	{"webhooks.gone-disables", func(p *probe) {
		a, _ := p.tested("/gone/away", 1)
		p.eventually("/v1/webhooks/"+webhookID(a), "a disabled webhook", func(a answer) bool { return first(a, "webhook.disabled") == true })
	}},
	{"webhooks.deliveries", func(p *probe) {
		a, _ := p.tested("/ok/logged", 1)
		p.delivery(webhookID(a)).is("count", integer).is("deliveries.0.id", filled).is("deliveries.0.event", text).is("deliveries.0.status", text).
			is("deliveries.0.attempts.0.status_code", equal("204"))
	}},
	{"webhooks.replay", func(p *probe) {
		a, got := p.tested("/ok/replayed", 1)
		id := webhookID(a)
		d := p.delivery(id)
		p.eventually("/v1/webhooks/"+id+"/deliveries", "an ended delivery", func(a answer) bool { return first(a, "deliveries.0.status") == "delivered" })
		p.post(fmt.Sprintf("/v1/webhooks/%s/deliveries/%s/replay", id, d.text("deliveries.0.id")), "{}").want(202)
		again := p.await("/ok/replayed", "the event again", func(r []received) bool { return len(r) > 1 })[1]
		p.want(answer{}, again.header.Get("webhook-id") == got[0].header.Get("webhook-id"), "the same webhook-id", again.header.Get("webhook-id"))
	}},
}
