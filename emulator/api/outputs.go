package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

type wireOutput struct {
	OutputID    engine.OutputID     `json:"output_id"`
	OutputType  engine.OutputType   `json:"output_type"`
	PromptID    *engine.PromptID    `json:"prompt_id"`
	RecordingID engine.RecordingID  `json:"recording_id"`
	Name        *string             `json:"name"`
	Status      engine.OutputStatus `json:"status"`
	Text        *string             `json:"text"`
	Error       *string             `json:"error"`
	CreatedAt   string              `json:"created_at"`
}

func wireOfOutput(o engine.Output) wireOutput {
	return wireOutput{
		OutputID: o.ID, OutputType: o.Type, PromptID: orNull(o.PromptID), RecordingID: o.RecordingID, Name: orNull(o.Name), Status: o.Status,
		Text: orNull(o.Text), Error: orNull(o.Error), CreatedAt: timestamp(o.CreatedAt),
	}
}

// generate handles POST /v1/recordings/:id/generate.
func (a *api) generate(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewOutput{
		RecordingID: engine.RecordingID(req.PathValue("id")), PromptID: engine.PromptID(b.string("prompt_id")), Prompt: b.string("prompt"), Name: b.string("name"),
	}
	if b.first != nil {
		return b.first
	}
	o, err := a.engine.GenerateOutput(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, struct {
		OutputID   engine.OutputID     `json:"output_id"`
		OutputType engine.OutputType   `json:"output_type"`
		PromptID   *engine.PromptID    `json:"prompt_id"`
		Status     engine.OutputStatus `json:"status"`
	}{o.ID, o.Type, orNull(o.PromptID), o.Status})
	return nil
}

// listOutputs handles GET /v1/recordings/:id/outputs.
func (a *api) listOutputs(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	id := engine.RecordingID(req.PathValue("id"))
	outputs, err := a.engine.ListOutputs(req.Context(), c, id, engine.OutputType(q.Get("type")))
	if err != nil {
		return err
	}
	out := struct {
		RecordingID engine.RecordingID `json:"recording_id"`
		Outputs     []wireOutput       `json:"outputs"`
		Count       int                `json:"count"`
	}{id, make([]wireOutput, len(outputs)), len(outputs)}
	for i, o := range outputs {
		out.Outputs[i] = wireOfOutput(o)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// getOutput handles GET /v1/outputs/:id.
func (a *api) getOutput(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	o, err := a.engine.GetOutput(req.Context(), c, engine.OutputID(req.PathValue("id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wireOfOutput(o))
	return nil
}
