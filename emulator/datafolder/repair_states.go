package datafolder

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// The states in this file are final states with an error. They are assigned, because the machines have no way there: for them, a
// completed render never fails.

// uploads expires uploads whose bytes are gone and that no recording uses.
func (m *marker) uploads() {
	for _, u := range m.rows.Uploads {
		if u.Status == engine.UploadReserved || !m.gone(u.BlobKey) { // the bytes of a reserved one may still come
			continue
		}
		if u.Status == engine.UploadStored {
			u.Status = engine.UploadExpired
		}
		u.BlobKey, u.StoredSize = "", 0
		m.put(m.tx.PutUpload(u), "upload "+string(u.ID)+": "+lostFile)
	}
}

// transcripts ends transcripts whose job or words are lost.
func (m *marker) transcripts() {
	for i, t := range m.rows.Transcripts {
		why := ""
		switch {
		case m.gone(t.WordsKey):
			why = lostFile
		case t.Status == engine.TranscriptCompleted || t.Status == engine.TranscriptError:
			continue
		case m.gone(t.BlobKey):
			why = lostFile
		case m.stuck(false, string(t.ID)):
			why = lostRow
		default:
			continue
		}
		t.Status, t.Error, t.ErrorCode, t.ErrorHint = engine.TranscriptError, why, engine.CodeUnavailable, "Upload the media again."
		t.WordsKey, t.UpdatedAt = "", m.now
		m.rows.Transcripts[i] = t
		m.put(m.tx.PutTranscript(t), "transcript "+string(t.ID)+": "+why)
	}
}

// recordings gives recordings without a transcript a failed one, and takes the media from those whose file is gone.
func (m *marker) recordings() {
	transcripts := map[engine.TranscriptID]engine.TranscriptStatus{}
	for _, t := range m.rows.Transcripts {
		transcripts[t.ID] = t.Status
	}
	for _, r := range m.rows.Recordings {
		status, has := transcripts[r.TranscriptID]
		why := ""
		if !has {
			status, why = engine.TranscriptError, "its transcript: "+lostRow
			m.err = orFirst(m.err, m.tx.PutTranscript(engine.Transcript{
				ID: r.TranscriptID, UserID: m.uploader(r.UploadID), RecordingID: r.ID, Status: status, Error: lostRow, ErrorCode: engine.CodeUnavailable,
				ErrorHint: "Upload the media again.", CreatedAt: r.CreatedAt, UpdatedAt: m.now,
			}))
		}
		if m.gone(r.BlobKey) {
			r.BlobKey, why = "", strings.TrimSpace(why+" "+lostFile)
		}
		if why == "" && r.TranscriptStatus == status {
			continue
		}
		r.TranscriptStatus = status
		m.put(m.tx.PutRecording(r), "recording "+string(r.ID)+": "+why)
	}
}

// uploader returns who uploaded the media of a recording, or "".
func (m *marker) uploader(id engine.UploadID) engine.UserID {
	for _, u := range m.rows.Uploads {
		if u.ID == id {
			return u.UserID
		}
	}
	return ""
}

// renders fails renders whose video or job is lost.
func (m *marker) renders() {
	for _, r := range m.rows.Renders {
		why := ""
		switch {
		case m.gone(r.BlobKey):
			why = lostFile
		case m.stuck(r.Status != engine.RenderRendering, string(r.ID)):
			why = lostRow
		default:
			continue
		}
		r.Status, r.Message, r.ErrorCode, r.ErrorHint = engine.RenderFailed, why+" Render it again.", engine.CodeUnavailable, "Render it again."
		r.BlobKey, r.Size, r.UpdatedAt = "", 0, m.now
		m.put(m.tx.PutRender(r), "render "+string(r.ID)+": "+why)
	}
}

// content ends outputs, imports, chats, and deliveries whose jobs are lost.
func (m *marker) content() {
	for _, o := range m.rows.Outputs {
		if m.stuck(o.Status != engine.OutputQueued && o.Status != engine.OutputRetrying, string(o.ID)) {
			o.Status, o.Error, o.UpdatedAt = engine.OutputFailed, lostRow, m.now
			m.put(m.tx.PutOutput(o), "output "+string(o.ID)+": "+lostRow)
		}
	}
	for _, i := range m.rows.Imports {
		if m.stuck(i.Status != engine.ImportQueued && i.Status != engine.ImportProcessing, string(i.ID)) {
			i.Status, i.Error, i.UpdatedAt = engine.ImportError, lostRow, m.now
			m.put(m.tx.PutImport(i), "import "+string(i.ID)+": "+lostRow)
		}
	}
	for _, c := range m.rows.Chats {
		if m.stuck(c.Status == engine.ChatCompleted, string(c.ID)) {
			c.Status, c.Answer, c.UpdatedAt = engine.ChatCompleted, "The answer was lost. Ask again.", m.now
			m.put(m.tx.PutChat(c), "chat "+string(c.ID)+": "+lostRow)
		}
	}
	for _, d := range m.rows.Deliveries {
		if m.stuck(d.Status.Over(), string(d.ID)) {
			d.Status, d.UpdatedAt = engine.DeliveryFailed, m.now
			m.put(m.tx.PutDelivery(d), "delivery "+string(d.ID)+": "+lostRow)
		}
	}
}

// orFirst returns the first error that isn't nil.
func orFirst(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
