package memory

import "github.com/soundstage-dev/soundstage/engine"

func (tx *readTx) Render(id engine.RenderID) (engine.Render, error) { return get(tx, tx.renders, id) }

func (tx *readTx) Renders(id engine.RecordingID) ([]engine.Render, error) {
	return list(tx, tx.renders, tx.rendersByAge, id)
}

func (tx *writeTx) PutRender(r engine.Render) error { return put(tx, tx.renders, r.ID, r) }

func renderRecording(r *engine.Render) engine.RecordingID { return r.RecordingID }
func byRenderAge(a, b *engine.Render) int                 { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func cloneRender(r engine.Render) engine.Render {
	r.CreatedAt, r.UpdatedAt = utc(r.CreatedAt), utc(r.UpdatedAt)
	return r
}
