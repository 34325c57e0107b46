package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// aClip returns a completed render of the video recording.
func aClip(p *probe) watched { return once(p, "rendered clip", makeClip).reportTo(p) }

func makeClip(p *probe) watched { return p.finished(clipBegun(p)) }

// askedClip returns the answer to the request for a render, whatever its status.
func askedClip(p *probe) answer {
	return once(p, "requested clip", func(p *probe) answer { return p.post("/v1/renders", clipOf("video", "")) }).reportTo(p)
}

// anAudiogram returns a completed render of the audio recording.
func anAudiogram(p *probe) watched {
	return once(p, "rendered audiogram", func(p *probe) watched {
		return p.finished(p.post("/v1/renders", clipOf("recording", `,"aspect_ratio":"1:1"`)).ok())
	}).reportTo(p)
}

// clipOf returns the request body that renders 1.5 s of a recording.
func clipOf(recording, more string) string {
	return fmt.Sprintf(`{"recording_id":"{%s}","start_ms":600,"end_ms":2100%s}`, recording, more)
}

// finished waits until a render ends.
func (p *probe) finished(a answer) watched {
	w := p.watch(a, "/v1/renders/"+a.text("render.id"), "render.status", "completed", "failed")
	if !slices.Contains(w.seen, "completed") {
		p.fail(w.last, "a completed render", show(w.last.value))
	}
	return w
}

func clipBegun(p *probe) answer { return askedClip(p).ok() }
func clipDone(p *probe) answer  { return aClip(p).last }

// window returns the request body that renders a window of the audio recording.
func window(from, to int) string {
	return fmt.Sprintf(`{"recording_id":"{recording}","start_ms":%d,"end_ms":%d}`, from, to)
}

// noSpeech returns the error for a window without speech.
func noSpeech(p *probe) answer {
	return once(p, "error for a window without speech", func(p *probe) answer {
		return p.post("/v1/renders", window(silentFrom, talkEnds))
	}).reportTo(p)
}

// asset downloads the rendered clip.
func asset(p *probe) answer {
	return once(p, "download of a clip", func(p *probe) answer {
		return p.send(http.MethodGet, clipDone(p).text("render.asset_url"), nil, "")
	}).reportTo(p)
}

var renderChecks = []check{
	{"renders.completes", func(p *probe) { decides(p, "rendered clip", makeClip) }},
	{"renders.create.recording-required", refuses("POST", "/v1/renders", `{"start_ms":0,"end_ms":1000}`)},
	{"renders.create.window-required", all(
		refuses("POST", "/v1/renders", `{"recording_id":"{recording}"}`),
		refuses("POST", "/v1/renders", `{"recording_id":"{recording}","start_ms":0}`),
		refuses("POST", "/v1/renders", `{"recording_id":"{recording}","end_ms":2000}`))},
	{"renders.create.needs-completed", refuses("POST", "/v1/renders", `{"recording_id":"{failed}","start_ms":0,"end_ms":1000}`)},
	{"renders.create.at-most-3-minutes", refuses("POST", "/v1/renders", window(0, 180_001))},
	{"renders.create.no-speech", func(p *probe) {
		a := noSpeech(p).refused().is("error", filled)
		s := strings.ToLower(a.errorMessage())
		p.want(a, strings.Contains(s, "spoken") || strings.Contains(s, "speech"), "an error that says to pick a range with spoken words", a.errorMessage())
	}},
	{"renders.create.no-speech-400", func(p *probe) { noSpeech(p).want(400) }},
	{"renders.create.snaps", func(p *probe) {
		a := clipDone(p)
		t := p.get("/v1/recordings/{video}/transcript").ok()
		starts, ends := map[string]bool{}, map[string]bool{}
		for _, u := range t.list("utterances") {
			words, _ := member(u, "words")
			all, _ := words.([]any)
			for _, w := range all {
				from, _ := member(w, "start")
				to, _ := member(w, "end")
				starts[fmt.Sprint(from)], ends[fmt.Sprint(to)] = true, true
			}
		}
		if len(starts) == 0 {
			p.skip("the transcript has no words with times")
		}
		from, _ := a.at("render.start_ms")
		to, _ := a.at("render.end_ms")
		p.want(a, starts[fmt.Sprint(from)] && ends[fmt.Sprint(to)], "a window from the start of a word to the end of a word", fmt.Sprintf("%v to %v", from, to))
	}},
	{"renders.create.render", has(clipBegun, "render", object)},
	{"renders.create.rendering", has(clipBegun, "render.status", equal("rendering"))},
	{"renders.create.status-202", func(p *probe) { askedClip(p).want(202) }},
	{"renders.create.aspect-default", has(clipBegun, "render.aspect_ratio", equal("9:16"))},
	{"renders.create.aspect-ratios", func(p *probe) {
		// The window has no speech, so nothing is rendered; an error about the window means the ratio was accepted.
		for _, ratio := range []string{"9:16", "1:1", "16:9", "4:5", "original"} {
			a := p.post("/v1/renders", fmt.Sprintf(`{"recording_id":"{recording}","start_ms":%d,"end_ms":%d,"aspect_ratio":%q}`, silentFrom, talkEnds, ratio))
			p.want(a, a.errorMessage() == noSpeech(p).errorMessage(), "only an error about the window with the ratio "+ratio, a.errorMessage())
		}
	}},
	{"renders.create.unknown-ratio", answers("POST", "/v1/renders", `{"recording_id":"{recording}","start_ms":600,"end_ms":2100,"aspect_ratio":"2:1"}`, 400)},
	{"renders.create.too-long-400", answers("POST", "/v1/renders", window(0, 180_001), 400)},
	{"renders.create.backwards", answers("POST", "/v1/renders", window(2000, 1000), 400)},
	{"renders.create.outside", answers("POST", "/v1/renders", window(100_000, 101_000), 400)},
	{"renders.create.end-rounded", func(p *probe) {
		// The window has no speech, so nothing is rendered; that error means that the end was accepted.
		a := p.post("/v1/renders", window(silentFrom, talkRounded)).want(400)
		p.want(a, a.errorMessage() == noSpeech(p).errorMessage(), "only an error about the missing speech", a.errorMessage())
		b := p.post("/v1/renders", window(silentFrom, talkRounded+1)).want(400)
		p.want(b, b.errorMessage() != a.errorMessage(), "an error about the end of the window", b.errorMessage())
	}},
	{"renders.create.unknown-recording", answers("POST", "/v1/renders", `{"recording_id":"{missing}","start_ms":0,"end_ms":1000}`, 404)},
	{"renders.create.suggestion", func(p *probe) {
		s := suggestion(p, "clip")
		id, _ := member(s, "id")
		a := p.post("/v1/renders", fmt.Sprintf(`{"recording_id":"{recording}","suggestion_id":%q,"aspect_ratio":"1:1"}`, fmt.Sprint(id))).accepted()
		from, _ := member(s, "start_ms")
		to, _ := member(s, "end_ms")
		a.is("render.start_ms", near(from)).is("render.end_ms", near(to))
	}},
	{"renders.create.unknown-suggestion", refuses("POST", "/v1/renders", `{"recording_id":"{recording}","suggestion_id":"{missing}"}`)},
	{"renders.clip-of-video", has(clipDone, "render.style", equal("captions"))},
	{"renders.audiogram-of-audio", func(p *probe) {
		style, _ := anAudiogram(p).last.at("render.style")
		clip, _ := clipDone(p).at("render.style")
		p.want(anAudiogram(p).last, style != clip, "a style other than the clip's", style)
	}},
	{"renders.audiogram-style", func(p *probe) { anAudiogram(p).last.is("render.style", equal("audiogram")) }},
	{"renders.get", func(p *probe) { p.get("/v1/renders/{render}").want(200) }},
	{"renders.get.unknown", answers("GET", "/v1/renders/{missing}", "", 404)},
	{"render.field.id", has(clipDone, "render.id", filled)},
	{"render.field.status", func(p *probe) {
		p.get("/v1/renders/{render}").ok().is("render.status", oneOf("rendering", "completed", "failed"))
	}},
	{"render.field.style", has(clipDone, "render.style", text)},
	{"render.field.aspect_ratio", has(clipDone, "render.aspect_ratio", oneOf("9:16", "1:1", "16:9", "4:5", "original"))},
	{"render.field.start_ms", has(clipDone, "render.start_ms", integer)},
	{"render.field.end_ms", has(clipDone, "render.end_ms", integer)},
	{"render.field.progress", has(clipDone, "render.progress", number)},
	{"render.field.message", has(clipDone, "render.message", orNull(text))},
	{"render.field.asset_url", all(has(clipBegun, "render.asset_url", null), has(clipDone, "render.asset_url", address))},
	{"render.field.created_at", has(clipDone, "render.created_at", stamp)},
	{"states.render.entry", starts(aClip, "render.status", "rendering")},
	{"states.render.values", all(passesThrough(aClip, "rendering", "completed"), passesThrough(anAudiogram, "rendering", "completed"))},
	{"states.render.asset", func(p *probe) {
		a := asset(p).want(200)
		p.want(a, len(a.body) > 1000, "a video", fmt.Sprintf("%d bytes", len(a.body)))
	}},
	{"renders.asset.minted-anew", func(p *probe) {
		clipDone(p)
		p.get("/v1/renders/{render}").want(200).is("render.asset_url", address)
		a := p.send(http.MethodGet, p.get("/v1/renders/{render}").text("render.asset_url"), nil, "").want(200)
		p.want(a, a.header.Get("Accept-Ranges") == "bytes", "Accept-Ranges: bytes", a.header.Get("Accept-Ranges"))
	}},
}

// near accepts a number of milliseconds within 1 s of another, because windows snap to words.
func near(to any) shape {
	n, _ := to.(json.Number)
	f, _ := n.Float64()
	return shape{fmt.Sprintf("within a second of %v", f), within(f-1000, f+1000).fits}
}
