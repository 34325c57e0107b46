package llm

import (
	"context"
	"regexp"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Write returns the text for a request: markdown without HTML, images, and links. Write inserts the times itself, from
// the transcript's lines. It requests a truncated answer once more with twice the tokens, and with fewer passages if the
// context has no room for that.
func (m *Model) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	const op = "Write"
	if err := checkCanceled(ctx, op); err != nil {
		return "", err
	}
	w, ok := writingOf(req)
	if !ok {
		return "", engine.Errorf(engine.CodeInvalid, op, "Unknown task %q.", req.Task)
	}
	req.Context = m.limitContext(req.Context)
	r, most := w.request(req), m.answer
	a, err := m.ask(ctx, r, most)
	if err == nil && a.Finish == FinishLength {
		if m.room(r) < 2*most || m.endedEarly(a, r, most) {
			req.Passages = thin(req.Passages)
		}
		if a, err = m.ask(ctx, w.request(req), 2*most); err == nil && a.Finish == FinishLength {
			err = m.tooLong(a)
		}
	}
	if err != nil {
		return "", err
	}
	text := postprocess(req, a.Text)
	if text == "" {
		return "", m.unreadable()
	}
	return text, nil
}

// request returns the prompt for a request.
func (w writing) request(req engine.WriteRequest) Request {
	language := languageOf(req)
	said := transcriptOf(req.Passages, req.Task == engine.TaskGenerate)
	f := newFence(string(req.Task), string(req.Type), string(language), req.Prompt, req.Context, said)
	var parts strings.Builder
	f.part(&parts, "context", req.Context)
	f.part(&parts, "transcript", said)
	f.part(&parts, w.wish, req.Prompt)
	system := f.rules() + w.rules + markdownRules + "\n" + w.what + "\n\nWrite in " + languageName(language) + ", whatever language the parts are in."
	return Request{System: system, User: parts.String()}
}

// unsupported matches engine.NoSupport at the end of an answer, with any punctuation and emphasis around it.
var unsupported = regexp.MustCompile(`[ \n*_(]*\[none\][ \n*_).。]*$`)

// postprocess converts a model's answer to the text of a request.
func postprocess(req engine.WriteRequest, text string) string {
	switch req.Task {
	case engine.TaskChat:
		admitted := unsupported.MatchString(text)
		text = sanitise(unsupported.ReplaceAllString(text, ""))
		if admitted {
			text += " " + engine.NoSupport
		}
	case engine.TaskGenerate:
		text = withTimes(text, req.Passages)
		if req.Type == engine.OutputDynamic {
			text = sanitiseExceptCode(text)
		} else {
			text = sanitise(text)
		}
	default:
		text = sanitise(text)
	}
	return strings.TrimSpace(text)
}
