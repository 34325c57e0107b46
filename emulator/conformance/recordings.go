package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

var (
	fetchedAudio = recordingOf(audioRecording)
	fetchedVideo = recordingOf(videoRecording)
)

// createdAudio returns the answer to the creation of the audio recording.
func createdAudio(p *probe) answer { return createdTalk(p).created.ok() }

// threeRecordings returns three recordings created in sequence, oldest first.
func threeRecordings(p *probe) []recorded {
	return once(p, "three recordings", func(p *probe) (all []recorded) {
		for i := range 3 {
			all = append(all, p.record(fmt.Sprintf("%s-%d.wav", p.named("trio"), i), "audio/wav", wav(0.5, 300*time.Millisecond), "", ""))
		}
		return all
	})
}

var recordingChecks = []check{
	{"recording.field.id", has(fetchedAudio, "recording.id", text)},
	{"recording.field.title", has(fetchedAudio, "recording.title", text)},
	{"recording.field.space", all(has(fetchedAudio, "recording.space", object), has(fetchedAudio, "recording.space.id", text), has(fetchedAudio, "recording.space.name", text))},
	{"recording.field.created_at", has(fetchedAudio, "recording.created_at", stamp)},
	{"recording.field.published_at", has(fetchedAudio, "recording.published_at", orNull(stamp))},
	{"recording.published_at.creation", func(p *probe) { wantPublishedWhenCreated(fetchedAudio(p)) }},
	{"recording.published_at.imports", func(p *probe) { wantPublishedWhenCreated(importedRecording(p).ok()) }},
	{"recording.field.language", has(fetchedAudio, "recording.language", language)},
	{"recording.field.transcript_status", func(p *probe) {
		p.get("/v1/recordings/{created}").ok().is("recording.transcript_status", oneOf("queued", "processing", "completed", "error"))
	}},
	{"recording.field.duration_minutes", has(fetchedAudio, "recording.duration_minutes", integer)},
	{"recording.field.has_transcript", has(fetchedAudio, "recording.has_transcript", boolean)},
	{"recording.field.number", has(fetchedAudio, "recording.number", integer)},
	{"recording.field.episode_number", has(fetchedAudio, "recording.episode_number", orNull(integer))},
	{"recording.field.season_number", has(fetchedAudio, "recording.season_number", orNull(integer))},
	{"recording.field.rss", has(fetchedAudio, "recording.rss", orNull(object))},
	{"recording.rss.null-for-uploads", has(fetchedAudio, "recording.rss", null)},
	{"recording.rss.null-for-imports", func(p *probe) {
		p.get("/v1/recordings/"+anImport(p).last.text("recording_id")).ok().is("recording.rss", null)
	}},
	{"recording.rss.fields", func(p *probe) {
		a := p.get("/v1/recordings?limit=100").ok()
		for _, r := range a.list("recordings") {
			if feed, _ := member(r, "rss"); feed != nil {
				_, guid := member(feed, "guid")
				at, _ := member(feed, "published_at")
				p.want(a, guid && stamp.fits(at), "rss with guid and published_at", feed)
				return
			}
		}
		p.skip("none of the newest 100 recordings was imported from a feed")
	}},
	{"recording.title.default-filename", func(p *probe) {
		createdAudio(p).is(wrapped(createdAudio(p), "title"), equal(p.named("talk")+".m4a"))
	}},
	{"recording.number.per-space", func(p *probe) {
		last := -1.0
		for _, r := range threeRecordings(p) {
			a := r.created.reportTo(p)
			n := a.number(wrapped(a, "number"))
			p.want(a, n > last, fmt.Sprintf("a number above %v", last), n)
			last = n
		}
	}},
	{"recording.duration_minutes.length", has(fetchedAudio, "recording.duration_minutes", within(0, 1))},
	{"recording.has_transcript.completed", all(has(fetchedAudio, "recording.has_transcript", truth(true)), has(recordingOf(failedRecording), "recording.has_transcript", truth(false)))},
	{"recordings.get", func(p *probe) { p.get("/v1/recordings/{created}").want(200).is("recording", object) }},
	{"recordings.get.same-shape", func(p *probe) {
		one, ok := fetchedAudio(p).at("recording")
		a := p.get("/v1/recordings?query=" + p.named("talk")).ok()
		listed, found := a.at("recordings.0")
		if !ok || !found {
			p.skip("there is no recording to compare")
		}
		p.want(a, slices.Equal(keys(one), keys(listed)), strings.Join(keys(one), ", "), strings.Join(keys(listed), ", "))
	}},
	{"recordings.get.unknown", answers("GET", "/v1/recordings/{missing}", "", 404)},
	{"recordings.create.object-required", refuses("POST", "/v1/recordings", `{}`)},
	{"recordings.create.missing-400", answers("POST", "/v1/recordings", `{}`, 400)},
	{"recordings.create.starts-transcription", func(p *probe) { decides(p, "transcribed recording", makeAudioRecording) }},
	{"recordings.create.status-201", func(p *probe) { createdTalk(p).created.want(201) }},
	{"recordings.create.body", all(has(createdAudio, "recording", object), has(createdAudio, "recording.id", filled))},
	{"recordings.create.queued", has(createdAudio, "recording.transcript_status", oneOf("queued", "processing"))},
	{"recordings.create.never-arrived", func(p *probe) {
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, anUpload(p).text("object_id"))).want(422)
	}},
	{"recordings.create.space-of-upload", func(p *probe) {
		a := createdAudio(p)
		p.want(a, first(a, "recording.space.id", "space.id") == createdTalk(p).upload.text("space_id"), "the space of the upload", a.value)
	}},
	{"recordings.create.space", func(p *probe) {
		a := p.record(p.named("space")+".wav", "audio/wav", wav(0.5, 300*time.Millisecond), "", p.expand(`,"space_id":"{space}"`)).created.reportTo(p)
		p.want(a, first(a, "recording.space.id", "space.id") == p.expand("{space}"), "the given space", a.value)
	}},
	{"recordings.create.title", func(p *probe) {
		title := p.named("given title")
		a := p.record(p.named("titled")+".wav", "audio/wav", wav(0.5, 300*time.Millisecond), `,"title":"another"`, fmt.Sprintf(`,"title":%q`, title)).created.reportTo(p)
		a.is(wrapped(a, "title"), equal(title))
	}},
	{"recordings.create.hints", func(p *probe) {
		up := p.upload(p.named("hints")+".wav", "audio/wav", wav(0.5, 300*time.Millisecond), "")
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q,"speakers_expected":2,"context_prompt":"Two people talk."}`, up.text("object_id"))).accepted()
	}},
	{"recordings.create.unknown-object", answers("POST", "/v1/recordings", `{"object_id":"obj_{missing}"}`, 404)},
	{"recordings.create.twice", func(p *probe) {
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, audioRecording(p).upload.text("object_id"))).want(409)
	}},
	{"recordings.create.wrong-size", func(p *probe) {
		up := p.reserve(p.named("short")+".wav", "audio/wav", make([]byte, 100), "")
		p.put(up, make([]byte, 50), "audio/wav").ok()
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up.text("object_id"))).want(422)
	}},
	{"states.recording.values", func(p *probe) {
		passesThrough(func(p *probe) watched { return audioRecording(p).work }, "queued", "processing", "completed", "error")(p)
		passesThrough(func(p *probe) watched { return failedRecording(p).work }, "queued", "processing", "error")(p)
	}},
}

// wantPublishedWhenCreated fails the check unless published_at is the creation.
func wantPublishedWhenCreated(a answer) {
	a.is("recording.published_at", equal(a.text("recording.created_at")))
}

// wrapped returns the path of a recording's member in an answer that may hold the recording under "recording" or directly.
func wrapped(a answer, name string) string {
	if _, ok := a.at("recording"); ok {
		return "recording." + name
	}
	return name
}

// keys returns the names of an object's members, sorted.
func keys(v any) (names []string) {
	object, _ := v.(map[string]any)
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
