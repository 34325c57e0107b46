package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// recorded is a recording that the run created.
type recorded struct {
	id      string
	upload  answer  // to POST /v1/uploads
	created answer  // to POST /v1/recordings
	work    watched // its transcription
}

// reportTo returns a copy of the recording whose failures are reported to p.
func (r recorded) reportTo(p *probe) recorded {
	r.upload, r.created, r.work = r.upload.reportTo(p), r.created.reportTo(p), r.work.reportTo(p)
	return r
}

// anUpload reserves an object whose bytes are never sent.
func anUpload(p *probe) answer {
	return once(p, "reserved upload", func(p *probe) answer {
		return p.post("/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":"audio/wav","content_size":1000}`, p.named("unsent")+".wav")).ok()
	}).reportTo(p)
}

// reserve creates an upload for bytes. more holds further members of the request body, starting with a comma.
func (p *probe) reserve(filename, contentType string, bytes []byte, more string) answer {
	return p.post("/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":%q,"content_size":%d%s}`, filename, contentType, len(bytes), more)).ok()
}

// put sends bytes to an upload's URL.
func (p *probe) put(upload answer, bytes []byte, contentType string) answer {
	return p.send(http.MethodPut, upload.text("upload_url"), bytes, contentType)
}

// upload creates an upload and sends its bytes.
func (p *probe) upload(filename, contentType string, bytes []byte, more string) answer {
	up := p.reserve(filename, contentType, bytes, more)
	p.put(up, bytes, contentType).ok()
	return up
}

// record creates a recording from bytes and returns without waiting for its transcription.
func (p *probe) record(filename, contentType string, bytes []byte, uploadMore, more string) recorded {
	r := recorded{upload: p.upload(filename, contentType, bytes, uploadMore)}
	r.created = p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q%s}`, r.upload.text("object_id"), more)).ok()
	r.id = recordingID(r.created)
	return r
}

// recordingID returns the id in the answer to POST /v1/recordings, whose body the specification doesn't define.
func recordingID(a answer) string {
	if v, ok := a.at("recording.id"); ok {
		if id, ok := v.(string); ok {
			return id
		}
	}
	return a.text("id")
}

// transcribed creates a recording from bytes and waits for its transcription.
func (p *probe) transcribed(filename, contentType string, bytes []byte, uploadMore, more string) recorded {
	r := p.record(filename, contentType, bytes, uploadMore, more)
	r.work = p.watchRecording(r)
	return r
}

// watchRecording waits until the transcription of a recording ends.
func (p *probe) watchRecording(r recorded) watched {
	return p.watch(r.created, "/v1/recordings/"+r.id, "recording.transcript_status", "completed", "error")
}

// createdTalk returns the recording of audioRecording without its id, and its creation with whatever status.
func createdTalk(p *probe) recorded {
	return once(p, "created recording", func(p *probe) recorded {
		up := p.upload(p.named("talk")+".m4a", "audio/mp4", mediaFile("talk.m4a"), "")
		return recorded{upload: up, created: p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up.text("object_id")))}
	}).reportTo(p)
}

// audioRecording returns a transcribed audio recording of a conversation, created without a title.
func audioRecording(p *probe) recorded {
	return once(p, "transcribed recording", makeAudioRecording).reportTo(p)
}

func makeAudioRecording(p *probe) recorded {
	r := createdTalk(p)
	r.id = recordingID(r.created.ok())
	r.work = p.watchRecording(r)
	if s, _ := r.work.last.at("recording.transcript_status"); s != "completed" {
		p.fail(r.work.last, "a completed transcription", show(s))
	}
	return r
}

// videoRecording returns a transcribed video recording whose title was given to the upload.
func videoRecording(p *probe) recorded {
	return once(p, "transcribed recording of a video", func(p *probe) recorded {
		r := p.transcribed(p.named("film")+".mp4", "video/mp4", mediaFile("film.mp4"), fmt.Sprintf(`,"title":%q`, p.named("carried title")), "")
		if s, _ := r.work.last.at("recording.transcript_status"); s != "completed" {
			p.fail(r.work.last, "a completed transcription", show(s))
		}
		return r
	}).reportTo(p)
}

// failedRecording returns a recording of bytes that are not media, so its transcript never completes.
func failedRecording(p *probe) recorded {
	return once(p, "recording without a transcript", func(p *probe) recorded {
		r := p.transcribed(p.named("broken")+".wav", "audio/wav", []byte("This is no audio at all."), "", "")
		if s, _ := r.work.last.at("recording.transcript_status"); s == "completed" {
			p.skip("the server transcribes bytes that are not media")
		}
		return r
	}).reportTo(p)
}

// silentRecording returns a recording of 3 s of silence.
func silentRecording(p *probe) recorded {
	return once(p, "recording of silence", func(p *probe) recorded {
		return p.transcribed(p.named("silence")+".wav", "audio/wav", wav(0, 3*time.Second), "", "")
	}).reportTo(p)
}

// recordingOf returns the recording's last answer to GET /v1/recordings/:id.
func recordingOf(of func(*probe) recorded) func(*probe) answer {
	return func(p *probe) answer { return of(p).work.last.reportTo(p) }
}

// othersUpload returns an upload of the second user.
func othersUpload(p *probe) answer {
	return once(p, "upload of another user", func(p *probe) answer {
		return p.as(other).reserve(p.named("other")+".wav", "audio/wav", wav(0.5, 2*time.Second), "")
	}).reportTo(p)
}

func othersRecording(p *probe) string {
	return once(p, "recording of another user", func(p *probe) string {
		return p.as(other).record(p.named("other")+".wav", "audio/wav", wav(0.5, 2*time.Second), "", "").id
	})
}

func othersSpeaker(p *probe) string {
	return once(p, "speaker of another user", func(p *probe) string {
		return p.as(other).post("/v1/spaces/{other-space}/speakers", `{"name":"{name} other"}`).ok().text("speaker.id")
	})
}

// createdByRun returns the items whose member at a path contains the run's nonce.
func (p *probe) createdByRun(items []any, at string) (found []any) {
	for _, item := range items {
		if v, ok := member(item, at); ok && strings.Contains(strings.ToLower(fmt.Sprint(v)), p.session.nonce) {
			found = append(found, item)
		}
	}
	return found
}

// deleteCreated deletes what the run created, as far as the API offers it.
func (s *session) deleteCreated() {
	s.mu.Lock()
	left := s.toDelete
	s.toDelete = nil
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 10*time.Second) // an interrupted run deletes too
	defer cancel()
	for _, path := range left {
		s.decide(ctx, "cleanup", func(p *probe) { p.send(http.MethodDelete, s.config.BaseURL+path, nil, "") })
	}
}

// deleteLater registers a path to be deleted when the run ends.
func (p *probe) deleteLater(path string) {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	p.session.toDelete = append(p.session.toDelete, path)
}
