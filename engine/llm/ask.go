package llm

import (
	"context"
	"fmt"
	"sort"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ask sends a request and returns the tidied answer. most limits the answer's tokens; a full context lowers the limit. A
// truncated answer is not an error here; an answer that is empty for another reason is.
func (m *Model) ask(ctx context.Context, r Request, most int) (Answer, error) {
	room := m.room(r)
	if room < minAnswerTokens {
		return Answer{}, m.errorf("The request does not fit in the language model's context.").
			WithHint("Shorten the request, or set context_tokens to the model's context size.").
			Because(fmt.Errorf("about %d of %d tokens", m.context-room, m.context))
	}
	r.MaxTokens = min(most, room)
	a, err := m.completer.Complete(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	if cut := cutContext(r, a.Usage.Prompt, m.context); cut != nil {
		return Answer{}, m.errorf("%s truncated the request.", m.name).Because(cut).
			WithHint("The server's context is smaller than context_tokens: raise it (num_ctx, OLLAMA_CONTEXT_LENGTH, --ctx-size), or lower context_tokens.")
	}
	a.Text = tidy(a.Text)
	switch {
	case a.Finish == FinishRefused:
		return Answer{}, m.errorf("The language model declined to answer.").WithHint("Rephrase the request, or use another model.")
	case a.Finish != FinishLength && a.Text == "":
		return Answer{}, m.errorf("The language model gave an empty answer.").Transient()
	}
	return a, nil
}

// room returns how many tokens the context has left for an answer. It reserves a tenth, because token counts are
// estimates.
func (m *Model) room(r Request) int {
	n := transcript.EstimateTokens(r.System) + transcript.EstimateTokens(r.User)
	return m.context - n - n/10 - 32
}

// limitContext limits a context prompt to an eighth of the context, so that it leaves room for the recording.
func (m *Model) limitContext(about string) string {
	if transcript.EstimateTokens(about) <= m.context/8 {
		return about
	}
	runes := []rune(about)
	n := sort.Search(len(runes), func(n int) bool { return transcript.EstimateTokens(string(runes[:n])) >= m.context/8 })
	return string(runes[:n]) + "…"
}

// endedEarly reports whether an answer ended before its token limit. Then the server's context ended it, not ours.
func (m *Model) endedEarly(a Answer, r Request, most int) bool {
	return a.Usage.Answer > 0 && a.Usage.Answer < min(most, m.room(r))*9/10
}

// tooLong returns the error for an answer that was truncated twice.
func (m *Model) tooLong(a Answer) error {
	return m.errorf("The language model's answer was cut off.").
		Because(fmt.Errorf("after %d tokens, with a prompt of %d", a.Usage.Answer, a.Usage.Prompt)).
		WithHint("Ask for less, or raise answer_tokens: reasoning uses them too. If the server's context is smaller than context_tokens, raise it (num_ctx, --ctx-size).")
}

// unreadable returns the error for an answer that doesn't have the requested form.
func (m *Model) unreadable() error {
	return m.errorf("The language model gave an answer that could not be parsed.").Transient()
}

func (m *Model) errorf(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, m.name, format, args...)
}
