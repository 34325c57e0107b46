package llm_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stub is a Completer that returns its answers in order, repeats the last one, and records requests.
type stub struct {
	mu      sync.Mutex
	answers []llm.Answer
	asked   []llm.Request
	reply   func(llm.Request) llm.Answer // used instead of answers
}

func (s *stub) Complete(_ context.Context, r llm.Request) (llm.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	if s.reply != nil {
		return s.reply(r), nil
	}
	a := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return a, nil
}

// says returns a stub that answers with these texts.
func says(texts ...string) *stub {
	s := &stub{}
	for _, t := range texts {
		s.answers = append(s.answers, llm.Answer{Text: t})
	}
	return s
}

func model(t testing.TB, s *stub, context int) *llm.Model {
	t.Helper()
	m, err := llm.New(llm.Config{Completer: s, Name: "Stub", ContextTokens: context})
	require.NoError(t, err)
	return m
}

// spoken returns passages of each utterances, ten seconds per text.
func spoken(each int, texts ...string) (passages []transcript.Passage) {
	for i, text := range texts {
		if i%each == 0 {
			passages = append(passages, transcript.Passage{Label: "1." + string(rune('1'+len(passages))), Title: "The lighthouse", Language: "en"})
		}
		p := &passages[len(passages)-1]
		start := time.Duration(i) * 10 * time.Second
		p.Utterances = append(p.Utterances, transcript.Utterance{Speaker: transcript.SpeakerLabel(i % 2), Text: text, Start: start, End: start + 9*time.Second})
	}
	return passages
}

var talk = []string{"Maria repaired the old lighthouse.", "How long was it dark?", "For eleven winters, and we lost three boats.", "Today it burns every night."}

// written returns what Write returns for an answer.
func written(t *testing.T, req engine.WriteRequest, answer string) string {
	t.Helper()
	if req.Passages == nil {
		req.Passages = spoken(2, talk...)
	}
	text, err := model(t, says(answer), 0).Write(t.Context(), req)
	require.NoError(t, err, answer)
	return text
}

// requireError checks err's Code, Retryable, and message.
func requireError(t *testing.T, err error, code engine.Code, retryable bool, says string) {
	t.Helper()
	require.ErrorContains(t, err, says)
	require.Equal(t, code, engine.CodeOf(err))
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, retryable, e.Retryable, err)
	require.True(t, strings.HasSuffix(e.Msg, "."), e.Msg)
}
