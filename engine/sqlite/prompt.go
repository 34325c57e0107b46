package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	promptColumns  = "id, space_id, name, type, description, text, disabled, created_at"
	promptsOfSpace = "SELECT " + promptColumns + " FROM prompts WHERE space_id = ? ORDER BY created_at, id"
)

var putPrompt = upsert("prompts", promptColumns)

func (t *readTx) Prompt(id engine.PromptID) (engine.Prompt, error) {
	return one(t, "prompt", scanPrompt, "SELECT "+promptColumns+" FROM prompts WHERE id = ?", string(id))
}

func (t *readTx) Prompts(id engine.SpaceID) ([]engine.Prompt, error) {
	return all(t, scanPrompt, promptsOfSpace, string(id))
}

func (t *tx) PutPrompt(p engine.Prompt) error {
	return t.exec(putPrompt, string(p.ID), string(p.SpaceID), p.Name, string(p.Type), p.Description, p.Text, p.Disabled, micros(p.CreatedAt))
}

func scanPrompt(r *row) engine.Prompt {
	return engine.Prompt{
		ID: engine.PromptID(r.text()), SpaceID: engine.SpaceID(r.text()), Name: r.text(), Type: engine.OutputType(r.text()),
		Description: r.text(), Text: r.text(), Disabled: r.bool(), CreatedAt: r.time(),
	}
}
