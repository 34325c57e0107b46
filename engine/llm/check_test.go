package llm_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// wrongContent has a wrong answer for each kind of content, and what the error says about it.
var wrongContent = map[engine.OutputType]struct{ instruction, answer, says string }{
	engine.OutputOverview:    {"Write an overview", "In this recording [7], words are said.", "cited places that it was not given"},
	engine.OutputQuotes:      {"worth quoting", "> The words.\n>\n> — **Name**, [@1]", "quoted words that nobody says in the recording"},
	engine.OutputKeyTopics:   {"key topics", "- **Topic**: Someone says “these are words that nobody has said here”.", "quoted words that nobody says"},
	engine.OutputChapters:    {"Divide the recording into chapters", "- [@2] Then\n- [@1] First", "returned chapters that are not in order"},
	engine.OutputSocialPosts: {"Write three posts", "Malheureusement, impossible de résumer quoi que ce soit.", "wrote about something else than the recording"},
	engine.OutputDynamic:     {"from the recording. Where it leaves open how", "See [@999].", "cited places that it was not given"},
}

const askedAgain = "An earlier answer of yours was wrong"

// wrong returns the wrong answer to a prompt for content, or "".
func wrong(system string) string {
	for _, c := range wrongContent {
		if strings.Contains(system, c.instruction) {
			return c.answer
		}
	}
	return ""
}

// outputs waits until all outputs of the studio's recording are over, and returns them by type, with one for a custom prompt.
func (s *studio) outputs(t *testing.T) map[engine.OutputType]engine.Output {
	t.Helper()
	_, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: s.recording.ID, Prompt: "What is it about?"})
	require.NoError(t, err)
	all, err := s.ListOutputs(t.Context(), s.caller, s.recording.ID, "")
	require.NoError(t, err)
	require.Len(t, all, len(wrongContent))
	byType := map[engine.OutputType]engine.Output{}
	for _, o := range all {
		o, _ = s.WaitOutput(t.Context(), s.caller, o.ID)
		byType[o.Type] = o
	}
	return byType
}

// Content that is wrong is asked for once more, with the draft and what is wrong with it. Content that is right then is completed.
func TestContentIsAskedForAgain(t *testing.T) {
	t.Parallel()
	var again atomic.Int32
	reply := func(system, user string) string {
		if draft := wrong(system); draft != "" && !strings.Contains(system, askedAgain) {
			return draft
		} else if draft != "" {
			again.Add(1)
			assert.Contains(t, user, "\n"+draft+"\n<<<end draft ")
			assert.Contains(t, user, "<<<faults ")
		}
		return backendtest.Reply(system, user)
	}
	for name, d := range dialects(t, backendtest.ModelOptions{Reply: reply}) {
		t.Run(name, func(t *testing.T) {
			for kind, o := range newStudio(t, d.model).outputs(t) {
				require.Equal(t, engine.OutputCompleted, o.Status, "%s: %s", kind, o.Error)
				require.Contains(t, o.Text, "0:00", kind)
			}
		})
	}
	require.Equal(t, int32(2*len(wrongContent)), again.Load())
}

// Content that is wrong twice fails with a sentence that says what is wrong, and which model it was. It isn't asked for a third time.
func TestWrongContentFails(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	reply := func(system, user string) string {
		if draft := wrong(system); draft != "" {
			asked.Add(1)
			return draft
		}
		return backendtest.Reply(system, user)
	}
	for name, d := range dialects(t, backendtest.ModelOptions{Reply: reply}) {
		t.Run(name, func(t *testing.T) {
			for kind, o := range newStudio(t, d.model).outputs(t) {
				require.Equal(t, engine.OutputFailed, o.Status, kind)
				require.Empty(t, o.Text)
				require.Contains(t, o.Error, wrongContent[kind].says, kind)
				require.Contains(t, o.Error, "(test)")
				require.True(t, strings.HasSuffix(o.Error, ", also when it was asked again."), o.Error)
				require.Contains(t, o.ErrorHint, "larger model")
				require.NotContains(t, o.Error, "nobody has said here", "what a model wrote is not shown")
			}
		})
	}
	require.Equal(t, int32(2*2*len(wrongContent)), asked.Load())
}

// When the context has no room for the draft, only its faults are sent.
func TestAskedAgainInSmallContext(t *testing.T) {
	t.Parallel()
	lines := many(60)
	right := "> so it goes on\n>\n> — **Speaker 0**, [@1]"
	for name, c := range map[string]struct {
		context int
		draft   bool
	}{"room": {32_000, true}, "no room": {8192, false}} {
		s := says(strings.Repeat("> So it never goes on.\n>\n> — **Speaker 0**, [@1]\n\n", 30), right)
		text, err := model(t, s, c.context).Write(t.Context(), engine.WriteRequest{
			Task: engine.TaskGenerate, Type: engine.OutputQuotes, Language: "en", Passages: spoken(60, lines...),
		})
		require.NoError(t, err, name)
		require.Contains(t, text, "0:00")
		require.Len(t, s.asked, 2)
		require.Equal(t, c.draft, strings.Contains(s.asked[1].User, "<<<draft "), name)
		require.Contains(t, s.asked[1].User, "<<<faults ")
		require.NotContains(t, s.asked[1].System, "never goes on", "what a model wrote stays between fences")
	}
}

// A model that returns nothing is named, by its server and its own name.
func TestEmptyAnswerNamesModel(t *testing.T) {
	t.Parallel()
	m, err := llm.New(llm.Config{Completer: says(""), Name: "The language model", Model: "llama3.2"})
	require.NoError(t, err)
	_, err = m.Write(t.Context(), about(spoken(2, talk...)))
	requireError(t, err, engine.CodeUnavailable, true, "The language model (llama3.2) said nothing")
	require.Equal(t, "The language model (llama3.2) said nothing: it gave an empty answer.", err.Error(), "without the name twice")
}
