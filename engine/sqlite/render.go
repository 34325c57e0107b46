package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const renderColumns = `id, user_id, recording_id, status, style, aspect_ratio, title, start, "end", progress, message, error_hint, error_rule, blob_key, size, created_at, updated_at`

var putRender = upsert("renders", renderColumns)

func (t *readTx) Render(id engine.RenderID) (engine.Render, error) {
	return one(t, "render", scanRender, "SELECT "+renderColumns+" FROM renders WHERE id = ?", string(id))
}

func (t *tx) PutRender(r engine.Render) error {
	return t.exec(putRender, string(r.ID), string(r.UserID), string(r.RecordingID), string(r.Status), string(r.Style), string(r.AspectRatio),
		r.Title, durationMicros(r.Window.Start), durationMicros(r.Window.End), r.Progress, r.Message, r.ErrorHint, string(r.ErrorRule), r.BlobKey, r.Size,
		micros(r.CreatedAt), micros(r.UpdatedAt))
}

func scanRender(r *row) engine.Render {
	return engine.Render{
		ID: engine.RenderID(r.text()), UserID: engine.UserID(r.text()), RecordingID: engine.RecordingID(r.text()),
		Status: engine.RenderStatus(r.text()), Style: engine.RenderStyle(r.text()), AspectRatio: engine.AspectRatio(r.text()), Title: r.text(),
		Window: engine.Window{Start: r.duration(), End: r.duration()}, Progress: column[float64](r), Message: r.text(),
		ErrorHint: r.text(), ErrorRule: engine.Rule(r.text()),
		BlobKey: r.text(), Size: r.int64(), CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}
