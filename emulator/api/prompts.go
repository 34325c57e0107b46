package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

type wirePrompt struct {
	ID          engine.PromptID   `json:"id"`
	Name        string            `json:"name"`
	Type        engine.OutputType `json:"type"`
	Description *string           `json:"description"`
	Prompt      string            `json:"prompt"`
	Disabled    bool              `json:"disabled"`
}

func wireOfPrompt(p engine.Prompt) wirePrompt {
	return wirePrompt{ID: p.ID, Name: p.Name, Type: p.Type, Description: orNull(p.Description), Prompt: p.Text, Disabled: p.Disabled}
}

// listPrompts handles GET /v1/prompts.
func (a *api) listPrompts(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	s, prompts, err := a.engine.ListPrompts(req.Context(), c, engine.SpaceID(q.Get("space_id")))
	if err != nil {
		return err
	}
	out := struct {
		Space   wireSpaceRef `json:"space"`
		Prompts []wirePrompt `json:"prompts"`
		Count   int          `json:"count"`
	}{wireSpaceRef{s.ID, s.Name}, make([]wirePrompt, len(prompts)), len(prompts)}
	for i, p := range prompts {
		out.Prompts[i] = wireOfPrompt(p)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// createPrompt handles POST /v1/prompts.
func (a *api) createPrompt(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewPrompt{
		SpaceID: engine.SpaceID(b.string("space_id")), Name: b.string("name"), Text: b.string("prompt"), Description: b.string("description"),
	}
	if b.first != nil {
		return b.first
	}
	p, err := a.engine.CreatePrompt(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, struct {
		Prompt wirePrompt `json:"prompt"`
	}{wireOfPrompt(p)})
	return nil
}
