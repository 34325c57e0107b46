package llm

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ask sends a request and returns the tidied answer. most limits the answer's tokens; a full context lowers the limit. A
// truncated answer is not an error here; an answer that is empty for another reason is.
func (m *Model) ask(ctx context.Context, r Request, most int) (Answer, error) {
	room := m.room(r)
	if room < MinAnswerTokens {
		return Answer{}, m.errorf("The request does not fit in the language model's context.").
			WithHint("Shorten the request, or set --llm-context-tokens to the context size of the model's server.").
			Because(fmt.Errorf("about %d of %d tokens", m.context-room, m.context))
	}
	r.MaxTokens = min(most, room)
	a, err := m.completer.Complete(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	if cut := cutContext(r, a.Usage.Prompt, m.context); cut != nil {
		return Answer{}, m.errorf("%s truncated the request.", m.name).Because(cut).
			WithHint("The server's context is smaller than --llm-context-tokens: raise it (num_ctx, OLLAMA_CONTEXT_LENGTH, --ctx-size), or lower --llm-context-tokens.")
	}
	a.Text = tidy(a.Text)
	switch {
	case a.Finish == FinishRefused:
		return Answer{}, m.errorf("%s declined to answer.", m.name).WithHint("Rephrase the request, or use another model.")
	case a.Finish != FinishLength && a.Text == "":
		return Answer{}, m.nothing()
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
	return m.errorf("The answer of %s was cut off.", lower(m.name)).
		Because(fmt.Errorf("after %d tokens, with a prompt of %d", a.Usage.Answer, a.Usage.Prompt)).
		WithHint("Ask for less, or raise --llm-answer-tokens: reasoning uses them too. If the server's context is smaller than --llm-context-tokens, raise it (num_ctx, --ctx-size).")
}

// unreadable returns the error for an answer that doesn't have the requested form.
func (m *Model) unreadable() error {
	return m.errorf("%s gave an answer that could not be parsed.", m.name).Transient().
		WithHint("Try again. If it happens again, use a larger model: small ones often don't keep to a form.")
}

// nothing returns the error for an answer without text.
func (m *Model) nothing() error {
	return m.errorf("%s said nothing: it gave an empty answer.", m.name).Transient().
		WithHint("Try again. If it happens again, raise --llm-answer-tokens, because reasoning uses them too, or use another model.")
}

// lower returns a name as it is written within a sentence.
func lower(name string) string {
	if rest, ok := strings.CutPrefix(name, "The "); ok {
		return "the " + rest
	}
	return name
}

func (m *Model) errorf(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, "", format, args...) // without an Op: the message has the name
}
