package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// aChat returns a completed chat about one recording.
func aChat(p *probe) watched { return once(p, "answered chat", makeChat).reportTo(p) }

func makeChat(p *probe) watched {
	a := chatBegun(p)
	return p.watch(a, "/v1/chat/"+a.text("chat_id"), "status", "completed")
}

// askedChat returns the answer to the request for a chat, whatever its status.
func askedChat(p *probe) answer {
	return once(p, "chat", func(p *probe) answer {
		return p.post("/v1/chat", `{"message":"What do they talk about?","recording_ids":["{recording}"]}`)
	}).reportTo(p)
}

func chatBegun(p *probe) answer { return askedChat(p).ok() }
func chatDone(p *probe) answer  { return aChat(p).last }

// ofRecordings returns the request body of a chat about n recordings that don't exist.
func ofRecordings(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = newUUID()
	}
	return fmt.Sprintf(`{"message":"What?","recording_ids":["%s"]}`, strings.Join(ids, `","`))
}

var chatChecks = []check{
	{"chat.completes", func(p *probe) { decides(p, "answered chat", makeChat) }},
	{"chat.create.message-required", refuses("POST", "/v1/chat", `{"recording_ids":["{recording}"]}`)},
	{"chat.create.recordings-required", refuses("POST", "/v1/chat", `{"message":"What?"}`)},
	{"chat.create.at-least-one", refuses("POST", "/v1/chat", `{"message":"What?","recording_ids":[]}`)},
	{"chat.create.at-most-ten", func(p *probe) {
		a := p.post("/v1/chat", ofRecordings(11)).refused()
		p.want(a, strings.Contains(a.errorMessage(), "10"), "an error that says recording_ids is capped at 10 recordings", a.errorMessage())
	}},
	{"chat.create.capped-sentence", func(p *probe) {
		p.post("/v1/chat", ofRecordings(11)).want(400).is("error", equal("recording_ids is capped at 10 recordings"))
	}},
	{"chat.create.missing-400", all(
		answers("POST", "/v1/chat", `{"recording_ids":["{recording}"]}`, 400),
		answers("POST", "/v1/chat", `{"message":"What?"}`, 400),
		answers("POST", "/v1/chat", `{"message":"What?","recording_ids":[]}`, 400))},
	{"chat.create.unknown-recording", func(p *probe) { p.post("/v1/chat", ofRecordings(1)).want(404) }},
	{"chat.create.not-completed", answers("POST", "/v1/chat", `{"message":"What?","recording_ids":["{failed}"]}`, 400)},
	{"chat.create.several", func(p *probe) {
		a := p.post("/v1/chat", `{"message":"What do they talk about?","recording_ids":["{recording}","{video}"]}`).accepted()
		w := p.watch(a, "/v1/chat/"+a.text("chat_id"), "status", "completed")
		ids := w.last.list("recording_ids")
		p.want(w.last, slices.Contains(ids, any(audioRecording(p).id)) && slices.Contains(ids, any(videoRecording(p).id)), "both recordings", ids)
	}},
	{"chat.create.status-202", func(p *probe) { askedChat(p).want(202) }},
	{"chat.create.chat_id", has(chatBegun, "chat_id", filled)},
	{"chat.create.queued", has(chatBegun, "status", equal("queued"))},
	{"chat.get", func(p *probe) { p.get("/v1/chat/{chat}").want(200) }},
	{"chat.get.unknown", answers("GET", "/v1/chat/{missing}", "", 404)},
	{"chat.field.chat_id", has(chatDone, "chat_id", text)},
	{"chat.field.status", func(p *probe) { p.get("/v1/chat/{chat}").ok().is("status", text) }},
	{"chat.field.recording_ids", func(p *probe) {
		a := chatDone(p).is("recording_ids", arrayOf(text))
		p.want(a, slices.Contains(a.list("recording_ids"), any(audioRecording(p).id)), "the recording of the request", a.value)
	}},
	{"states.chat.entry", starts(aChat, "status", "queued")},
	{"states.chat.values", passesThrough(aChat, "queued", "completed")},
	{"states.chat.completed-answer", has(chatDone, "answer", filled)},
	{"states.chat.queued-null", func(p *probe) {
		a := p.post("/v1/chat", `{"message":"Who talks?","recording_ids":["{recording}"]}`).ok()
		p.want(a, first(a, "answer") == nil, "answer: null", a.value)
		if poll := p.get("/v1/chat/" + a.text("chat_id")).ok(); first(poll, "status") == "queued" {
			poll.is("answer", null)
		}
	}},
}
