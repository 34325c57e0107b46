package llm

import (
	"context"
	"regexp"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Write carries a request out. The answer is markdown without HTML, images and links; times in content are those of lines of the
// transcript, put in here. When an answer is cut off it is asked for once more, with twice as many tokens for it, and with fewer passages
// where those leave no room for that.
func (m *Model) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	const op = "Write"
	if err := over(ctx, op); err != nil {
		return "", err
	}
	w, ok := writingOf(req)
	if !ok {
		return "", engine.Errorf(engine.CodeInvalid, op, "There is no task %q.", req.Task)
	}
	req.Context = m.context8th(req.Context)
	r, most := w.request(req), m.answer
	a, err := m.ask(ctx, r, most)
	if err == nil && a.Finish == FinishLength {
		if m.room(r) < 2*most || m.early(a, r, most) {
			req.Passages = thin(req.Passages)
		}
		if a, err = m.ask(ctx, w.request(req), 2*most); err == nil && a.Finish == FinishLength {
			err = m.tooLong(a)
		}
	}
	if err != nil {
		return "", err
	}
	text := finished(req, a.Text)
	if text == "" {
		return "", m.unreadable()
	}
	return text, nil
}

// request makes the prompt of a request.
func (w writing) request(req engine.WriteRequest) Request {
	language := languageOf(req)
	said := transcriptOf(req.Passages, req.Task == engine.TaskGenerate)
	f := newFence(string(req.Task), string(req.Type), string(language), req.Prompt, req.Context, said)
	var parts strings.Builder
	f.part(&parts, "context", req.Context)
	f.part(&parts, "transcript", said)
	f.part(&parts, w.wish, req.Prompt)
	system := f.rules() + w.rules + markdownRules + "\n" + w.what + "\n\nWrite in " + named(language) + ", whatever language the parts are in."
	return Request{System: system, User: parts.String()}
}

// unsupported matches NoSupport at the end of an answer, however it is dressed.
var unsupported = regexp.MustCompile(`[ \n*_(]*\[none\][ \n*_).。]*$`)

// finished makes what a model wrote the text of a request.
func finished(req engine.WriteRequest, text string) string {
	switch req.Task {
	case engine.TaskChat:
		admitted := unsupported.MatchString(text)
		text = harmless(unsupported.ReplaceAllString(text, ""))
		if admitted {
			text += " " + engine.NoSupport
		}
	case engine.TaskGenerate:
		text = withTimes(text, req.Passages)
		if req.Type == engine.OutputDynamic {
			text = harmlessButCode(text)
		} else {
			text = harmless(text)
		}
	default:
		text = harmless(text)
	}
	return strings.TrimSpace(text)
}
