package conformance

import (
	"fmt"
	"strconv"
	"time"
)

// event waits until the main webhook receives an event of a type whose data member name equals value.
func (p *probe) event(kind, name, value string) received {
	aWebhook(p)
	var found received
	p.await("/ok/main", kind+" for "+value, func(all []received) bool {
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

// transcribedEvent returns the transcript.completed event of a recording created after the webhook.
func transcribedEvent(p *probe) received {
	return once(p, "event of a transcription", makeTranscribedEvent)
}

func makeTranscribedEvent(p *probe) received {
	aWebhook(p)
	r := p.record(p.named("event")+".aac", "audio/aac", mediaFile("talk.aac"), "", "")
	return p.event("transcript.completed", "recording_id", r.id)
}

// generatedEvent returns the output.completed event of an output requested after the webhook was created.
func generatedEvent(p *probe) received { return once(p, "event of an output", makeGeneratedEvent) }

func makeGeneratedEvent(p *probe) received {
	aWebhook(p)
	a := p.post("/v1/recordings/{recording}/generate", `{"prompt":"Name one sentence."}`).ok()
	return p.event("output.completed", "output_id", a.text("output_id"))
}

// sendTestEvent creates a webhook, requests a test event, and waits for its requests. The webhook also receives other checks' events.
func (p *probe) sendTestEvent(path, what string, enough func([]received) bool) answer {
	webhook := p.subscribe(path).ok()
	p.post("/v1/webhooks/"+webhookID(webhook)+"/test", "{}").ok()
	p.await(path, what, enough)
	return webhook
}

// arrived reports whether any event arrived.
func arrived(got []received) bool { return len(got) > 0 }

// arrivedTwice reports whether an event arrived twice.
func arrivedTwice(got []received) bool {
	ids := map[string]bool{}
	for _, r := range got {
		id := r.header.Get("webhook-id")
		if id != "" && ids[id] {
			return true
		}
		ids[id] = true
	}
	return false
}

// eventually polls a path until holds is true for the answer.
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

// eventHas checks the shape of a member of an event's body.
func eventHas(of func(*probe) received, path string, s shape) func(*probe) {
	return func(p *probe) {
		v, ok := member(of(p).value, path)
		p.want(answer{}, ok && s.fits(v), path+": "+s.name, show(of(p).value))
	}
}

// delivery returns a webhook's list of deliveries once the newest one has an attempt.
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
		eventHas(generatedEvent, "data.status", equal("completed")), func(p *probe) { eventHas(generatedEvent, "data.recording_id", equal(audioRecording(p).id))(p) })},
	{"webhooks.headers.id", func(p *probe) {
		id := transcribedEvent(p).header.Get("webhook-id")
		p.want(answer{}, id != "" && id != generatedEvent(p).header.Get("webhook-id"), "a different id for each event", id)
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
		p.await("/ok/test", "a test event", arrived)
	}},
	{"webhooks.retry.same-id", func(p *probe) {
		p.sendTestEvent("/retry/again", "a second request with the same webhook-id", arrivedTwice)
	}},
	{"webhooks.no-redirects", func(p *probe) {
		p.sendTestEvent("/moved/away", "a second attempt, because a redirect is a failure", arrivedTwice)
		followed, _ := p.session.hooks.requests("/ok/redirected")
		p.want(answer{}, len(followed) == 0, "no request to the redirect's target", len(followed))
	}},
	{"webhooks.gone-disables", func(p *probe) {
		a := p.subscribe("/gone/away").ok()
		p.post("/v1/webhooks/"+webhookID(a)+"/test", "{}") // rejected if another check's event was delivered first
		p.eventually("/v1/webhooks/"+webhookID(a), "a disabled webhook", func(a answer) bool { return first(a, "webhook.disabled") == true })
	}},
	{"webhooks.deliveries", func(p *probe) {
		a := p.sendTestEvent("/ok/logged", "a test event", arrived)
		p.delivery(webhookID(a)).is("count", integer).is("deliveries.0.id", filled).is("deliveries.0.event", text).is("deliveries.0.status", text).
			is("deliveries.0.attempts.0.status_code", equal("204"))
	}},
	{"webhooks.replay", func(p *probe) {
		id := webhookID(p.sendTestEvent("/ok/replayed", "a test event", arrived))
		var ended any
		p.eventually("/v1/webhooks/"+id+"/deliveries", "a finished delivery", func(a answer) bool {
			for _, d := range a.list("deliveries") {
				if is(d, "status", "delivered") {
					ended, _ = member(d, "id")
				}
			}
			return ended != nil
		})
		p.post(fmt.Sprintf("/v1/webhooks/%s/deliveries/%v/replay", id, ended), "{}").want(202)
		p.await("/ok/replayed", "the event again under the same webhook-id", arrivedTwice)
	}},
}
