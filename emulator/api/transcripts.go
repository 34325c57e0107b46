package api

import (
	"maps"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// createTranscript handles POST /v1/transcripts.
func (a *api) createTranscript(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewTranscript{
		URL: b.string("url"), Language: transcript.Language(b.string("language_code")),
		DetectLanguage: b.bool("language_detection"), BoostedWords: b.strings("boosted_words"),
	}
	if fields := n.Validate(); fields != nil || len(b.wrong) > 0 {
		all := input.FieldErrors{}
		maps.Copy(all, fields)
		maps.Copy(all, b.wrong) // a wrong type replaces "can't be blank" for its zero value
		return engine.Errorf(engine.CodeInvalid, "createTranscript", "The request is not valid.").WithRule(b.ruleOf(n, all)).Because(all)
	}
	t, err := a.engine.CreateTranscript(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, wireTranscript{ID: t.ID, Status: t.Status})
	return nil
}

// ruleOf returns the rule of the first invalid field: the url, then the language.
func (b *body) ruleOf(n engine.NewTranscript, wrong input.FieldErrors) engine.Rule {
	switch {
	case wrong["url"] != nil && b.wrong["url"] == nil && strings.TrimSpace(n.URL) == "":
		return "transcript.url-required"
	case wrong["url"] != nil && b.wrong["url"] == nil:
		return "transcript.url-invalid"
	case wrong["language_code"] != nil:
		return "transcript.language-unknown"
	}
	return "" // explained by the operation's code
}

// wireTranscript has exactly the fields that the specification shows for each status (specification, "GET /v1/transcripts/:id").
type wireTranscript struct {
	ID            engine.TranscriptID     `json:"id"`
	Status        engine.TranscriptStatus `json:"status"`
	Error         *string                 `json:"error,omitempty"`
	AudioDuration *int64                  `json:"audio_duration,omitempty"`
	Utterances    *[]formats.Utterance    `json:"utterances,omitempty"`
}

// getTranscript handles GET /v1/transcripts/:id.
func (a *api) getTranscript(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	t, err := a.engine.GetTranscript(req.Context(), c, engine.TranscriptID(req.PathValue("id")))
	if err != nil {
		return err
	}
	out := wireTranscript{ID: t.ID, Status: t.Status}
	switch t.Status {
	case engine.TranscriptError:
		out.Error = &t.Error
	case engine.TranscriptCompleted:
		seconds, utterances := t.AudioSeconds(), formats.Utterances(t.Transcript)
		out.AudioDuration, out.Utterances = &seconds, &utterances
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}
