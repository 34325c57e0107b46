package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/answer"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// material is the source of a generated text about one recording.
type material struct {
	search.Grounding
	about    string             // the user's description of the recording
	speakers map[string]Speaker // by label
}

// readMaterial returns the material of a recording with a completed transcript.
func readMaterial(tx ReadTx, id RecordingID) (m material, err error) {
	if m.Grounding, m.about, err = readGrounding(tx, id); err != nil {
		return m, err
	}
	assignments, err := tx.Assignments(id)
	if err != nil {
		return m, err
	}
	m.speakers = make(map[string]Speaker, len(assignments))
	for _, a := range assignments {
		if m.speakers[a.Label], err = tx.Speaker(a.SpeakerID); err != nil {
			return m, err
		}
	}
	return m, nil
}

// saidBy returns the material with only the utterances of one speaker.
func (m material) saidBy(id SpeakerID) material {
	var said []transcript.Utterance
	for _, u := range m.Transcript.Utterances {
		if m.speakers[u.Speaker].ID == id {
			said = append(said, u)
		}
	}
	m.Transcript.Utterances = said
	return m
}

// addPassages adds the passages to write from to a request: the whole recording if it fits the model's context, else the windows that
// match the prompt best. There are none when nobody speaks.
func (e *Engine) addPassages(req WriteRequest, m material) WriteRequest {
	req.Language, req.Context = m.Transcript.Language, m.about
	recordings := []search.Grounding{m.Grounding}
	if budget := e.passageBudget(req); search.WholeTokens(recordings) > budget {
		req.Passages = search.ChoosePassages(req.Prompt, recordings, budget)
	} else {
		req.Passages = m.Whole()
	}
	for _, p := range req.Passages {
		for i := range p.Utterances {
			p.Utterances[i].Words = nil
		}
	}
	return req
}

const (
	writeTimeout = 5 * time.Minute
	maxWritten   = 100_000 // bytes of a generated text
)

// write asks the language model for a text and returns it tidied. Empty and too long answers, and unknown failures, are retryable.
func (e *Engine) write(ctx context.Context, req WriteRequest) (string, error) {
	const op = "Write"
	if e.llm == nil {
		return "", Errorf(CodeUnavailable, op, "No language model is configured.").WithHint("Set Config.LLM.")
	}
	limit := writeTimeout
	if req.Task == TaskGenerate {
		limit *= 2 // an LLM may ask its model again if the first answer is wrong
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	text, err := e.llm.Write(ctx, req)
	if err != nil {
		return "", backendError(ctx, op, "language model", err)
	}
	text = answer.Tidy(text)
	switch {
	case text == "":
		return "", Errorf(CodeUnavailable, op, "The language model gave an empty answer.").Transient()
	case len(text) > maxWritten:
		return "", Errorf(CodeUnavailable, op, "The language model gave an answer that is too long.").Transient()
	}
	return text, nil
}

// backendError returns an error that names the backend. A timeout, and an error that isn't an *Error, are retryable.
func backendError(ctx context.Context, op, backend string, err error) error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return Errorf(CodeUnavailable, op, "The %s did not answer in time.", backend).Because(err).Transient()
	}
	var known *Error
	if errors.As(err, &known) || ctx.Err() != nil {
		return err
	}
	return Errorf(CodeUnavailable, op, "The %s failed.", backend).Because(fmt.Errorf("%s: %w", backend, err)).Transient()
}
