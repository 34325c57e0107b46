package llm

import (
	"context"
	"fmt"
	"sort"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ask sends a request whose answer may have at most so many tokens, fewer where the context has no room for them, and returns the answer
// tidied. An answer that was cut off is no error yet; one that is empty for another reason is.
func (m *Model) ask(ctx context.Context, r Request, most int) (Answer, error) {
	room := m.room(r)
	if room < leastAnswerTokens {
		return Answer{}, m.errorf("The request is longer than the language model can read.").
			WithHint("Ask shorter, or set context_tokens to what the model takes.").
			Because(fmt.Errorf("about %d of %d tokens", m.context-room, m.context))
	}
	r.MaxTokens = min(most, room)
	a, err := m.completer.Complete(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	if cut := cutContext(r, a.Usage.Prompt, m.context); cut != nil {
		return Answer{}, m.errorf("%s did not read all of the request.", m.name).Because(cut).
			WithHint("Its server cuts what is longer than its own context: raise that (num_ctx, OLLAMA_CONTEXT_LENGTH, --ctx-size), or set context_tokens to it.")
	}
	a.Text = tidy(a.Text)
	switch {
	case a.Finish == FinishRefused:
		return Answer{}, m.errorf("The language model declined to answer.").WithHint("Ask otherwise, or use another model.")
	case a.Finish != FinishLength && a.Text == "":
		return Answer{}, m.errorf("The language model gave an empty answer.").Transient()
	}
	return a, nil
}

// room is how many tokens the context has left for an answer. A tenth is kept for texts that have more tokens than is estimated.
func (m *Model) room(r Request) int {
	n := transcript.EstimateTokens(r.System) + transcript.EstimateTokens(r.User)
	return m.context - n - n/10 - 32
}

// context8th cuts what a user says that a recording is about to an eighth of the context, so that it leaves room for the recording.
func (m *Model) context8th(about string) string {
	if transcript.EstimateTokens(about) <= m.context/8 {
		return about
	}
	runes := []rune(about)
	n := sort.Search(len(runes), func(n int) bool { return transcript.EstimateTokens(string(runes[:n])) >= m.context/8 })
	return string(runes[:n]) + "…"
}

// early reports whether an answer was cut off before it had as many tokens as it might: the server's context ended, not ours.
func (m *Model) early(a Answer, r Request, most int) bool {
	return a.Usage.Answer > 0 && a.Usage.Answer < min(most, m.room(r))*9/10
}

// tooLong is the error of an answer that had no room twice.
func (m *Model) tooLong(a Answer) error {
	return m.errorf("The answer of the language model was cut off.").
		Because(fmt.Errorf("after %d tokens, behind a prompt of %d", a.Usage.Answer, a.Usage.Prompt)).
		WithHint("Ask for less, or set answer_tokens higher: a model that reasons spends them on that too. Where its server's context is smaller than context_tokens, raise that (num_ctx, --ctx-size).")
}

// unreadable is the error of an answer that isn't what was asked for.
func (m *Model) unreadable() error {
	return m.errorf("The language model gave an answer that can't be used.").Transient()
}

func (m *Model) errorf(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, m.name, format, args...)
}
