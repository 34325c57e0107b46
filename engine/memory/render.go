package memory

import "github.com/soundstage-dev/soundstage/engine"

func (tx *readTx) Render(id engine.RenderID) (engine.Render, error) { return get(tx, tx.renders, id) }

func (tx *writeTx) PutRender(r engine.Render) error { return put(tx, tx.renders, r.ID, r) }

func cloneRender(r engine.Render) engine.Render {
	r.CreatedAt, r.UpdatedAt = utc(r.CreatedAt), utc(r.UpdatedAt)
	return r
}
