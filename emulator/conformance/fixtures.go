package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// recorded is a recording that the run made.
type recorded struct {
	id      string
	upload  answer  // of POST /v1/uploads
	created answer  // of POST /v1/recordings
	work    watched // its transcription
}

// on returns the recording for another check to look at.
func (r recorded) on(p *probe) recorded {
	r.upload, r.created, r.work = r.upload.on(p), r.created.on(p), r.work.on(p)
	return r
}

// anUpload is a reserved object whose bytes are never sent.
func anUpload(p *probe) answer {
	return once(p, "reserved upload", func(p *probe) answer {
		return p.post("/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":"audio/wav","content_size":1000}`, p.named("unsent")+".wav")).ok()
	}).on(p)
}

// reserve makes an upload for bytes; more are further members of the request, with a comma in front.
func (p *probe) reserve(filename, contentType string, bytes []byte, more string) answer {
	return p.post("/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":%q,"content_size":%d%s}`, filename, contentType, len(bytes), more)).ok()
}

// put sends bytes to an upload's address.
func (p *probe) put(upload answer, bytes []byte, contentType string) answer {
	return p.send(http.MethodPut, upload.text("upload_url"), bytes, contentType)
}

// upload makes an upload and sends its bytes.
func (p *probe) upload(filename, contentType string, bytes []byte, more string) answer {
	up := p.reserve(filename, contentType, bytes, more)
	p.put(up, bytes, contentType).ok()
	return up
}

// record makes a recording of bytes and returns it at once.
func (p *probe) record(filename, contentType string, bytes []byte, uploadMore, more string) recorded {
	r := recorded{upload: p.upload(filename, contentType, bytes, uploadMore)}
	r.created = p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q%s}`, r.upload.text("object_id"), more)).ok()
	r.id = recordingID(r.created)
	return r
}

// recordingID finds the id in the answer of POST /v1/recordings, whose body the specification doesn't show.
func recordingID(a answer) string {
	if v, ok := a.at("recording.id"); ok {
		if id, ok := v.(string); ok {
			return id
		}
	}
	return a.text("id")
}

// transcribed makes a recording of bytes and waits for its transcription.
func (p *probe) transcribed(filename, contentType string, bytes []byte, uploadMore, more string) recorded {
	r := p.record(filename, contentType, bytes, uploadMore, more)
	r.work = p.watch(r.created, "/v1/recordings/"+r.id, "recording.transcript_status", "completed", "error")
	return r
}

// talk is a transcribed recording of a conversation, without a title.
func talk(p *probe) recorded { return once(p, "transcribed recording", makeTalk).on(p) }

func makeTalk(p *probe) recorded {
	r := p.transcribed(p.named("talk")+".m4a", "audio/mp4", mediaFile("talk.m4a"), "", "")
	if s, _ := r.work.last.at("recording.transcript_status"); s != "completed" {
		p.fail(r.work.last, "a completed transcription", show(s))
	}
	return r
}

// film is a transcribed recording of a video, whose title the upload carried.
func film(p *probe) recorded {
	return once(p, "transcribed recording of a video", func(p *probe) recorded {
		r := p.transcribed(p.named("film")+".mp4", "video/mp4", mediaFile("film.mp4"), fmt.Sprintf(`,"title":%q`, p.named("carried title")), "")
		if s, _ := r.work.last.at("recording.transcript_status"); s != "completed" {
			p.fail(r.work.last, "a completed transcription", show(s))
		}
		return r
	}).on(p)
}

// broken is a recording of bytes that are no media: its transcript is never completed.
func broken(p *probe) recorded {
	return once(p, "recording without a transcript", func(p *probe) recorded {
		r := p.transcribed(p.named("broken")+".wav", "audio/wav", []byte("This is no audio at all."), "", "")
		if s, _ := r.work.last.at("recording.transcript_status"); s == "completed" {
			p.skip("the server transcribes what is no media")
		}
		return r
	}).on(p)
}

// silence is a recording of nothing but silence.
func silence(p *probe) recorded {
	return once(p, "recording of silence", func(p *probe) recorded {
		return p.transcribed(p.named("silence")+".wav", "audio/wav", wav(0, 3*time.Second), "", "")
	}).on(p)
}

// recordingOf is the recording as GET /v1/recordings/:id tells it.
func recordingOf(of func(*probe) recorded) func(*probe) answer {
	return func(p *probe) answer { return of(p).work.last.on(p) }
}

// others are things of the second user.
func othersUpload(p *probe) answer {
	return once(p, "upload of another user", func(p *probe) answer {
		return p.as(other).reserve(p.named("other")+".wav", "audio/wav", wav(0.5, 2*time.Second), "")
	}).on(p)
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

// mine returns those of a list whose member holds the run's nonce.
func (p *probe) mine(items []any, at string) (found []any) {
	for _, item := range items {
		if v, ok := member(item, at); ok && strings.Contains(strings.ToLower(fmt.Sprint(v)), p.session.nonce) {
			found = append(found, item)
		}
	}
	return found
}

// tidy deletes what the API lets the run delete.
func (s *session) tidy() {
	s.mu.Lock()
	left := s.left
	s.left = nil
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 10*time.Second) // an interrupted run tidies too
	defer cancel()
	for _, path := range left {
		s.decide(ctx, "the end", func(p *probe) { p.send(http.MethodDelete, s.config.BaseURL+path, nil, "") })
	}
}

// deleteLater notes the path of something that is to be deleted when the run ends.
func (p *probe) deleteLater(path string) {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	p.session.left = append(p.session.left, path)
}
