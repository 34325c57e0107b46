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

// material is what texts about one recording are written from.
type material struct {
	search.Grounding
	about    string             // what the user said that the recording is about
	speakers map[string]Speaker // by label
}

// readMaterial returns the material of a recording whose transcript is completed.
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

// saidBy returns what of a recording a speaker says.
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

// ground completes a request with what to write from: the recording in one passage where the backend's context takes it, else
// its windows that match the prompt best; nothing when nobody speaks.
func (e *Engine) ground(req WriteRequest, m material) WriteRequest {
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
	maxWritten   = 100_000 // bytes of a text that a model may write
)

// write asks the language model for a text and returns it without what no text should have. Answers that are empty or too
// long, and failures that nothing is known of, may be tried again.
func (e *Engine) write(ctx context.Context, req WriteRequest) (string, error) {
	const op = "Write"
	if e.llm == nil {
		return "", Errorf(CodeUnavailable, op, "No language model is configured.").WithHint("Set Config.LLM.")
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
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

// backendError makes an error of a backend one that tells what failed: what isn't an *Error, and a timeout, may be tried
// again.
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
