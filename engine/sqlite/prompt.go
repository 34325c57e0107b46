package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var prompts = newTable("prompts", "prompt", func(c *columns, v *engine.Prompt) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "name", &v.Name)
	text(c, "type", &v.Type)
	text(c, "description", &v.Description)
	text(c, "text", &v.Text)
	flag(c, "disabled", &v.Disabled)
	timestamp(c, "created_at", &v.CreatedAt)
})

var (
	promptsOfSpace = "SELECT " + prompts.columns + " FROM prompts WHERE space_id = ? ORDER BY created_at, id"
)

func (t *readTx) Prompt(id engine.PromptID) (engine.Prompt, error) {
	return one(t, prompts, prompts.get, string(id))
}

func (t *readTx) Prompts(id engine.SpaceID) ([]engine.Prompt, error) {
	return all(t, prompts, promptsOfSpace, string(id))
}

func (t *tx) PutPrompt(p engine.Prompt) error { return write(t, prompts, prompts.put, p) }
