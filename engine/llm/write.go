package llm

import (
	"context"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Write returns the text for a request: markdown without HTML, images, and links. Write inserts the times itself, from
// the transcript's lines. It requests a truncated answer once more with twice the tokens, and with fewer passages if the
// context has no room for that.
//
// Generated content is checked against the transcript; see package answer. If something is wrong, Write asks once more and says what. If the
// second answer has faults too, the error says which.
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
	a, read, err := m.draft(ctx, w, req, nil)
	if err != nil {
		return "", err
	}
	if wrong := faults(read, a.Text); len(wrong) > 0 {
		if a, read, err = m.draft(ctx, w, req, &correction{a.Text, wrong}); err != nil {
			return "", err
		}
		if wrong = faults(read, a.Text); len(wrong) > 0 {
			return "", m.refuted(wrong)
		}
	}
	text := postprocess(read, a.Text)
	if text == "" {
		return "", m.nothing()
	}
	return text, nil
}

// draft returns an answer that is complete, and the request as the model read it: with fewer passages after an answer that was truncated.
func (m *Model) draft(ctx context.Context, w writing, req engine.WriteRequest, fix *correction) (Answer, engine.WriteRequest, error) {
	if fix != nil {
		req, fix = m.fit(w, req, fix)
	}
	r, most := w.request(req, fix), m.answer
	a, err := m.ask(ctx, r, most)
	if err == nil && a.Finish == FinishLength {
		if m.room(r) < 2*most || m.endedEarly(a, r, most) {
			req.Passages = thin(req.Passages)
		}
		if a, err = m.ask(ctx, w.request(req, fix), 2*most); err == nil && a.Finish == FinishLength {
			err = m.tooLong(a)
		}
	}
	return a, req, err
}

// request returns the prompt for a request. fix is what was wrong with an earlier answer, or nil.
func (w writing) request(req engine.WriteRequest, fix *correction) Request {
	language := languageOf(req)
	said := transcriptOf(req.Passages, req.Task == engine.TaskGenerate)
	texts := []string{string(req.Task), string(req.Type), string(language), req.Prompt, req.Context, said}
	if fix != nil {
		texts = append(texts, fix.draft, fix.list())
	}
	f := newFence(texts...)
	var parts strings.Builder
	f.part(&parts, "context", req.Context)
	f.part(&parts, "transcript", said)
	f.part(&parts, w.wish, req.Prompt)
	system := f.rules() + w.rules + markdownRules + "\n" + w.what + "\n\nWrite in " + languageName(language) + ", whatever language the parts are in."
	if fix != nil {
		system += fix.write(f, &parts)
	}
	return Request{System: system, User: parts.String()}
}

// unsupported matches engine.NoSupport at the end of an answer, with any punctuation and emphasis around it.
var unsupported = lazyregexp.New(`[ \n*_(]*\[none\][ \n*_).。]*$`)

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
