package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// createChat handles POST /v1/chat.
func (a *api) createChat(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewChat{Message: b.string("message"), RecordingIDs: idsOf[engine.RecordingID](b.strings("recording_ids"))}
	if b.first != nil {
		return b.first
	}
	chat, err := a.engine.CreateChat(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, struct {
		ChatID engine.ChatID     `json:"chat_id"`
		Status engine.ChatStatus `json:"status"`
	}{chat.ID, chat.Status})
	return nil
}

func idsOf[ID ~string](texts []string) []ID {
	ids := make([]ID, len(texts))
	for i, t := range texts {
		ids[i] = ID(t)
	}
	return ids
}

// getChat handles GET /v1/chat/:id.
func (a *api) getChat(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	chat, err := a.engine.GetChat(req.Context(), c, engine.ChatID(req.PathValue("id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		ChatID       engine.ChatID        `json:"chat_id"`
		Status       engine.ChatStatus    `json:"status"`
		Answer       *string              `json:"answer"`
		RecordingIDs []engine.RecordingID `json:"recording_ids"`
	}{chat.ID, chat.Status, orNull(chat.Answer), chat.RecordingIDs})
	return nil
}
