package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// material is what texts are written from: a completed transcript, its recording and who speaks in it.
type material struct {
	Recording  Recording
	Transcript Transcript
	Speakers   map[string]Speaker // by label
}

// readMaterial returns the material of a recording whose transcript is completed.
func readMaterial(tx ReadTx, id RecordingID) (m material, err error) {
	if m.Recording, err = tx.Recording(id); err != nil {
		return m, err
	}
	if m.Transcript, err = tx.Transcript(m.Recording.TranscriptID); err != nil {
		return m, err
	}
	assignments, err := tx.Assignments(id)
	if err != nil {
		return m, err
	}
	m.Speakers = make(map[string]Speaker, len(assignments))
	for _, a := range assignments {
		if m.Speakers[a.Label], err = tx.Speaker(a.SpeakerID); err != nil {
			return m, err
		}
	}
	return m, nil
}

// utterances returns the transcript's utterances under the names of the assigned speakers, without their words.
func (m material) utterances() []Utterance {
	named := make([]Utterance, len(m.Transcript.Utterances))
	for i, u := range m.Transcript.Utterances {
		if s, ok := m.Speakers[u.Speaker]; ok {
			u.Speaker = s.Name
		}
		u.Words = nil
		named[i] = u
	}
	return named
}

// passages returns the whole recording as one passage, or nothing when nobody speaks in it.
func (m material) passages() []Passage { return m.passage(m.utterances()) }

// saidBy returns what a speaker says as one passage, or nothing.
func (m material) saidBy(id SpeakerID) []Passage {
	var said []Utterance
	for i, u := range m.utterances() {
		if m.Speakers[m.Transcript.Utterances[i].Speaker].ID == id {
			said = append(said, u)
		}
	}
	return m.passage(said)
}

func (m material) passage(utterances []Utterance) []Passage {
	if len(utterances) == 0 {
		return nil
	}
	return []Passage{{Label: "1.1", Title: m.Recording.Title, Language: m.Transcript.Language, Utterances: utterances}}
}

const (
	writeTimeout = 5 * time.Minute
	maxWritten   = 1 << 20 // bytes of a text that a model may write
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
	text = strings.TrimSpace(strings.Map(dropControlButLines, strings.ToValidUTF8(text, "\uFFFD")))
	switch {
	case text == "":
		return "", Errorf(CodeUnavailable, op, "The language model gave an empty answer.").Transient()
	case len(text) > maxWritten:
		return "", Errorf(CodeUnavailable, op, "The language model gave an answer that is too long.").Transient()
	}
	return text, nil
}

// dropControlButLines keeps line breaks and tabs of all control characters.
func dropControlButLines(r rune) rune {
	if r == '\n' || r == '\t' {
		return r
	}
	if r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\uFEFF' {
		return -1
	}
	return r
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
