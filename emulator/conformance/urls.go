package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// ownMedia reports whether the server downloads media from the run's own media server.
func (p *probe) ownMedia() bool { return p.session.media != nil && p.session.config.MediaURL == "" }

// mediaAt returns a URL of media that the server can download. file is a folder and a file name of the run's own media.
func (p *probe) mediaAt(file string) string {
	if p.session.config.MediaURL != "" {
		return p.session.config.MediaURL
	}
	if p.session.media == nil {
		p.skip("the run has no media URL that the server can reach")
	}
	return p.session.media.url + "/" + p.named("url") + "-" + file
}

// unreachable ends the check as not applicable if the server never requested the run's own media.
func (p *probe) unreachable(file string) {
	if p.ownMedia() && !p.session.media.reached(p.named("url")+"-"+path.Dir(file)) {
		p.skip("the server does not download from this machine; start a sandbox with --allow-private-urls")
	}
}

// urlTranscribed transcribes a URL and waits until the transcription ends.
func (p *probe) urlTranscribed(url, more string) watched {
	return p.transcribedFrom(p.post("/v1/transcripts", fmt.Sprintf(`{"url":%q%s}`, url, more)).ok())
}

// transcribedFrom waits until a transcription ends.
func (p *probe) transcribedFrom(first answer) watched {
	return p.watch(first, "/v1/transcripts/"+first.text("id"), "status", "completed", "error")
}

// wantTranscribed fails the check unless a URL is transcribed.
func (p *probe) wantTranscribed(file, more string) watched {
	return p.wantCompleted(p.urlTranscribed(p.mediaAt(file), more), file)
}

// wantCompleted fails the check unless the transcription of a file is completed.
func (p *probe) wantCompleted(w watched, file string) watched {
	if !slices.Contains(w.seen, "completed") {
		p.unreachable(file)
		p.fail(w.last, "a completed transcript", show(w.last.value))
	}
	return w
}

// aTranscript returns a completed transcript of a URL.
func aTranscript(p *probe) watched {
	return once(p, "transcript of a URL", makeTranscript).reportTo(p)
}

func makeTranscript(p *probe) watched {
	return p.wantCompleted(p.transcribedFrom(transcriptBegun(p)), talkFile)
}

const talkFile = "talk/talk.m4a"

// askedTranscript returns the answer to the request for a transcript, whatever its status.
func askedTranscript(p *probe) answer {
	return once(p, "requested transcript", func(p *probe) answer {
		return p.post("/v1/transcripts", fmt.Sprintf(`{"url":%q}`, p.mediaAt(talkFile)))
	}).reportTo(p)
}

// aFailedTranscript returns a failed transcript of a URL that doesn't exist.
func aFailedTranscript(p *probe) watched {
	return once(p, "failed transcript of a URL", func(p *probe) watched {
		url := "https://media.invalid/missing.mp3" // RFC 2606 reserves .invalid, so this never resolves
		if p.session.media != nil {
			url = p.session.media.url + "/missing/missing.mp3"
		}
		w := p.urlTranscribed(url, "")
		if !slices.Contains(w.seen, "error") {
			p.fail(w.last, "status error for a URL that doesn't exist", show(w.last.value))
		}
		return w
	}).reportTo(p)
}

func transcriptBegun(p *probe) answer { return askedTranscript(p).ok() }
func transcriptDone(p *probe) answer  { return aTranscript(p).last }

// format checks that a media format is transcribed from a URL.
func format(file string) func(*probe) {
	return func(p *probe) {
		if !p.ownMedia() {
			p.skip("only the configured media URL can be downloaded")
		}
		p.wantTranscribed(path.Base(file)+"/"+file, "")
	}
}

const invalidTranscript = `{"language_code":"xx","boosted_words":"one","language_detection":"yes"}`

func refusedTranscript(p *probe) answer {
	return once(p, "refused transcript", func(p *probe) answer { return p.post("/v1/transcripts", invalidTranscript) }).reportTo(p)
}

var urlChecks = []check{
	{"transcripts.format.aac", format("talk.aac")},
	{"transcripts.format.m4a", format("talk.m4a")},
	{"transcripts.format.mp4", format("film.mp4")},
	{"transcripts.format.mpeg", format("talk.mp3")},
	{"transcripts.format.wav", format("tone.wav")},
	{"transcripts.completes", func(p *probe) { decides(p, "transcript of a URL", makeTranscript) }},
	{"transcripts.create.status-201", func(p *probe) { askedTranscript(p).want(201) }},
	{"transcripts.create.id", has(transcriptBegun, "id", filled)},
	{"transcripts.create.queued", has(transcriptBegun, "status", equal("queued"))},
	{"transcripts.create.url-required", func(p *probe) {
		p.post("/v1/transcripts", `{}`).refused().is("errors.url", array)
	}},
	{"transcripts.create.boosted-words", func(p *probe) { p.wantTranscribed("boosted/talk.aac", `,"boosted_words":["Soundstage","diarization"]`) }},
	{"transcripts.create.language-code", func(p *probe) { p.wantTranscribed("german/talk.aac", `,"language_code":"de"`) }},
	{"transcripts.create.both-languages", func(p *probe) {
		p.wantTranscribed("both/talk.aac", `,"language_code":"en","language_detection":true`)
	}},
	{"transcripts.create.invalid-400", func(p *probe) { refusedTranscript(p).want(400) }},
	{"transcripts.create.errors-by-field", func(p *probe) {
		a := refusedTranscript(p).is("errors", object)
		fields, _ := a.at("errors")
		for name, messages := range fields.(map[string]any) {
			p.want(a, arrayOf(filled).fits(messages) && !arrayOf(null).fits(messages), "errors."+name+": an array of messages", messages)
		}
	}},
	{"transcripts.create.valid-false", has(refusedTranscript, "valid", truth(false))},
	{"transcripts.create.all-fields", func(p *probe) {
		a := refusedTranscript(p)
		for _, name := range []string{"url", "language_code", "boosted_words", "language_detection"} {
			a.is("errors."+name, array)
		}
	}},
	{"transcripts.create.blank", has(refusedTranscript, "errors.url.0", equal("can't be blank"))},
	{"transcripts.create.not-a-url", func(p *probe) {
		p.post("/v1/transcripts", `{"url":"ftp://example.com/a.mp3"}`).refused().is("errors.url.0", equal("must be a valid url"))
	}},
	{"transcripts.create.wrong-type", has(refusedTranscript, "errors.boosted_words.0", equal("is invalid"))},
	{"transcripts.get.processing", func(p *probe) {
		a := transcriptBegun(p)
		for _, field := range []string{"error", "audio_duration", "utterances"} {
			_, ok := a.at(field)
			p.want(a, !ok, "no "+field+" before the transcript ends", a.value)
		}
	}},
	{"transcripts.get.failed", func(p *probe) {
		a := aFailedTranscript(p).reportTo(p).last
		_, ok := a.at("utterances")
		p.want(a, !ok, "no utterances in a failed transcript", a.value)
		a.is("id", filled)
	}},
	{"transcripts.get.done", func(p *probe) {
		a := transcriptDone(p).is("id", filled)
		_, ok := a.at("error")
		p.want(a, !ok, "no error in a completed transcript", a.value)
	}},
	{"transcripts.get.unknown", answers("GET", "/v1/transcripts/{missing}", "", 404)},
	{"transcript.field.id", has(transcriptDone, "id", text)},
	{"transcript.field.status", func(p *probe) { p.get("/v1/transcripts/{transcript}").ok().is("status", text) }},
	{"transcript.field.error", func(p *probe) { aFailedTranscript(p).reportTo(p).last.is("error", filled) }},
	{"transcript.field.audio_duration", has(transcriptDone, "audio_duration", integer)},
	{"transcript.field.utterances", has(transcriptDone, "utterances", arrayOf(object))},
	{"transcript.utterance.speaker", has(transcriptDone, "utterances.0.speaker", filled)},
	{"transcript.utterance.shape", func(p *probe) {
		a := transcriptDone(p)
		for i := range a.list("utterances") {
			at := fmt.Sprintf("utterances.%d.", i)
			a.is(at+"text", filled).is(at+"start", integer).is(at+"end", integer).is(at+"confidence", number).is(at+"words", arrayOf(object))
		}
		a.is("utterances.0.words.0.text", filled).is("utterances.0.words.0.start", integer).is("utterances.0.words.0.end", integer).
			is("utterances.0.words.0.speaker", filled)
	}},
	{"transcript.utterance.label", has(transcriptDone, "utterances.0.speaker", like("Speaker and a number", `^Speaker \d+$`))},
	{"transcript.audio_duration.seconds", func(p *probe) {
		if !p.ownMedia() {
			p.skip("the length of the configured media is unknown")
		}
		transcriptDone(p).is("audio_duration", equal("28"))
	}},
	{"states.transcript.values", passesThrough(aTranscript, "queued", "processing", "error", "completed")},
	{"transcript.failure-sentence", func(p *probe) {
		a := aFailedTranscript(p).reportTo(p).last
		s := a.text("error")
		p.want(a, strings.Contains(strings.TrimSpace(s), " "), "a sentence", s)
	}},
}
