package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var prompts = newTable(rows.Prompts)

var (
	promptsOfSpace = "SELECT " + prompts.columns + " FROM prompts WHERE space_id = $1 ORDER BY created_at, id"
)

func (t *readTx) Prompt(id engine.PromptID) (engine.Prompt, error) {
	return one(t, prompts, prompts.get, string(id))
}

func (t *readTx) Prompts(id engine.SpaceID) ([]engine.Prompt, error) {
	return all(t, prompts, promptsOfSpace, string(id))
}

func (t *tx) PutPrompt(p engine.Prompt) error { return write(t, prompts, prompts.put, p) }
