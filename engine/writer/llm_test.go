package writer_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// In every language, quotes have the verbatim sentence, its speaker, and the time of its first word.
func TestLLMQuotesAreVerbatim(t *testing.T) {
	t.Parallel()
	quote := regexp.MustCompile(`(?m)^> (.+)\n>\n> — \*\*(.+)\*\*(?:, |、|，)([0-9:]+)$`)
	for _, language := range transcript.Languages() {
		p := conversation(t, language)
		text := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputQuotes, Language: language, Passages: p})
		quotes := quote.FindAllStringSubmatch(text, -1)
		require.Len(t, quotes, strings.Count(text, "—"), "%s: %s", language, text)
		require.GreaterOrEqual(t, len(quotes), 5, "%s: %s", language, text)
		for _, q := range quotes {
			require.True(t, saidBy(all(p), q[2], unescape(q[1]), q[3]), "%s: %s", language, q[0])
		}
	}
}

// In every language, the sentences of overviews and key topics are verbatim, with speaker and time.
func TestLLMCitesWhatIsSaid(t *testing.T) {
	t.Parallel()
	item := regexp.MustCompile(`(?m)^- (?:\*\*.+\*\*(?: – |：))?(.+?)(?: \(|（)(Speaker \d)(?:, |、|，)([0-9:]+)(?:\)|）)$`)
	for _, language := range transcript.Languages() {
		p := conversation(t, language)
		for _, kind := range []engine.OutputType{engine.OutputOverview, engine.OutputKeyTopics} {
			text := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Language: language, Passages: p})
			items := item.FindAllStringSubmatch(text, -1)
			require.Len(t, items, strings.Count("\n"+text, "\n- "), "%s: %s", language, text)
			require.GreaterOrEqual(t, len(items), 3, "%s: %s", language, text)
			for _, i := range items {
				require.True(t, saidBy(all(p), i[2], unescape(i[1]), i[3]), "%s: %s", language, i[0])
			}
		}
	}
}

// A key topic occurs in its sentence.
func TestLLMTopicsAreInTheirSentences(t *testing.T) {
	t.Parallel()
	item := regexp.MustCompile(`(?m)^- \*\*(.+)\*\*(?: – |：)(.+)$`)
	for _, language := range transcript.Languages() {
		text := write(t, engine.WriteRequest{
			Task: engine.TaskGenerate, Type: engine.OutputKeyTopics, Language: language, Passages: conversation(t, language),
		})
		for _, i := range item.FindAllStringSubmatch(text, -1) {
			require.Contains(t, transcript.Fold(i[2]), transcript.Fold(i[1]), "%s: %s", language, i[0])
		}
	}
}

// There are three to eight chapters in order. The first one begins with the first utterance, and all begin with an utterance. Each title
// is unique and taken from the transcript.
func TestLLMChapters(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`^- ([0-9:]+) (.+)$`)
	for _, language := range transcript.Languages() {
		for _, n := range []int{1, 8} {
			p := repeat(conversation(t, language), n)
			said := all(p)
			text := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputChapters, Language: language, Passages: p})
			rows := strings.Split(text, "\n")
			require.True(t, len(rows) >= 3 && len(rows) <= 8, "%s: %s", language, text)
			next, titles := 0, map[string]bool{}
			for i, r := range rows {
				m := row.FindStringSubmatch(r)
				require.NotNil(t, m, "%s: %s", language, r)
				for next < len(said) && clock(said[next].Start) != m[1] {
					next++
				}
				require.Less(t, next, len(said), "%s: no utterance begins at %s, or chapters are not in order", language, m[1])
				require.True(t, i > 0 || next == 0, "%s: %s", language, text)
				title := strings.TrimSuffix(unescape(m[2]), "…")
				found := false
				for _, u := range said[next:] {
					found = found || strings.Contains(u.Text, title)
				}
				require.True(t, found, "%s: %s", language, r)
				require.False(t, titles[title], "%s: duplicate: %s", language, r)
				titles[title] = true
				next++
			}
		}
	}
}

// A question in the words of a sentence is answered with that sentence, verbatim, and the label of a passage that contains it.
func TestLLMAnswersCite(t *testing.T) {
	t.Parallel()
	item := regexp.MustCompile(`(?m)^(?:- )?Speaker \d(?:: |：| : |\x{a0}: )(.+?) ?\[([0-9.]+)\]$`)
	for _, language := range transcript.Languages() {
		whole := sentences(t, language)
		p := conversation(t, language)
		asked := 0
		for i, s := range whole {
			if i%4 != 0 || len([]rune(s)) < 18 || strings.ContainsAny(s, "?？") || !has(p, s) {
				continue
			}
			question := strings.TrimRight(s, ".!。！।") + "?"
			answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: question, Language: language, Passages: p})
			if strings.Contains(answer, "\n\n") {
				continue // the sentence has only stop words
			}
			asked++
			items := item.FindAllStringSubmatch(answer, -1)
			require.Len(t, items, strings.Count("\n"+strings.TrimPrefix(answer, "- "), "\n"), "%s: %s", language, answer)
			require.Contains(t, plain(unescape(items[0][1])), plain(s), "%s: %s", language, answer)
			for _, i := range items {
				require.True(t, has(labelled(p, i[2]), strings.Trim(unescape(i[1]), "“”„«»\u00a0「」")), "%s: %s", language, answer)
			}
		}
		require.GreaterOrEqual(t, asked, 3, language)
	}
}

// has reports whether passages contain a text.
func has(passages []transcript.Passage, text string) bool {
	for _, u := range all(passages) {
		if strings.Contains(plain(u.Text), plain(text)) {
			return true
		}
	}
	return false
}

// labelled returns the passage with a label.
func labelled(passages []transcript.Passage, label string) []transcript.Passage {
	for i, p := range passages {
		if p.Label == label {
			return passages[i : i+1]
		}
	}
	return nil
}

// A question that the recordings don't answer gets no answer and no citation.
func TestLLMSaysWhenNothingSupportsAnAnswer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, language := range transcript.Languages() {
		p := conversation(t, language)
		for _, question := range []string{"Xylophon Quetzalcoatl Zwickmühle?", "Was ist mit Quetzalcoatl?", "ティラノサウルス？", "恐竜鯨鮫"} {
			answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: question, Language: language, Passages: p})
			answer, admitted := strings.CutSuffix(answer, engine.NoSupport)
			require.True(t, admitted, "%s: %s", language, answer)
			require.NotContains(t, answer, "[", "%s: %s", language, answer)
			require.NotContains(t, answer, "\n", "%s: %s", language, answer)
			require.NotEmpty(t, answer)
			seen[answer] = true
		}
	}
	require.Len(t, seen, len(transcript.Languages()), "each language must have its own text: %v", seen)
}

// Greetings and general questions are answered with the topics of the transcript, with citations.
func TestLLMAnswersGreetings(t *testing.T) {
	t.Parallel()
	greetings := map[transcript.Language][]string{
		"en": {"Hello!", "Hi", "What is this about?", "Summarize the conversation, please.", "🙂", "Who speaks?"},
		"de": {"Hallo!", "Worum geht es?", "Fasse das Gespräch bitte zusammen."}, "es": {"¡Hola!", "¿De qué trata?"},
		"fr": {"Bonjour !", "De quoi ça parle ?"}, "hi": {"नमस्ते!", "यह किस बारे में है?"}, "id": {"Halo!", "Tentang apa ini?"},
		"it": {"Ciao!", "Di cosa si parla?"}, "ja": {"こんにちは！", "何の話ですか？"}, "ko": {"안녕하세요!", "무슨 내용이에요?"},
		"nl": {"Hallo!", "Waar gaat het over?"}, "no": {"Hei!", "Hva handler det om?"}, "pl": {"Cześć!", "O czym mowa?"},
		"pt": {"Olá!", "Sobre o que é?"}, "ru": {"Привет!", "О чём речь?"}, "sv": {"Hej!", "Vad handlar det om?"},
		"tr": {"Merhaba!", "Ne hakkında?"}, "uk": {"Привіт!", "Про що йдеться?"}, "zh": {"你好！", "这是关于什么的？"},
	}
	for _, language := range transcript.Languages() {
		p := conversation(t, language)
		require.NotEmpty(t, greetings[language])
		for _, question := range greetings[language] {
			answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: question, Language: language, Passages: p})
			require.Contains(t, answer, "[1.", "%s: %s: %s", language, question, answer)
			require.NotContains(t, answer, "{", "%s: %s", language, answer)
		}
	}
}

// A question with a speaker's name is answered with that speaker's sentences.
func TestLLMAnswersAboutSpeakers(t *testing.T) {
	t.Parallel()
	u := func(at int, who, text string) transcript.Utterance {
		return transcript.Utterance{Speaker: who, Text: text, Start: time.Duration(at) * time.Second, End: time.Duration(at+4) * time.Second}
	}
	p := []transcript.Passage{{Label: "1.1", Language: "en", Utterances: []transcript.Utterance{
		u(0, "Ada Byron", "The price of the engine was far too high for us."), u(5, "Charles", "I think the price was fair, given the brass."),
		u(10, "Ada Byron", "My notes were longer than the paper itself."),
	}}}
	answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: "What does Charles say about the price?", Language: "en", Passages: p})
	require.Equal(t, "Charles: “I think the price was fair, given the brass.” [1.1]", answer)
	answer = write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: "what does ada byron say about notes?", Language: "en", Passages: p})
	require.Equal(t, "Ada Byron: “My notes were longer than the paper itself.” [1.1]", answer)
	answer = write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: "What does Charles say about notes?", Language: "en", Passages: p})
	require.Equal(t, "The recordings say nothing about that. "+engine.NoSupport, answer)

	portrait := write(t, engine.WriteRequest{Task: engine.TaskSpeaker, Prompt: "Ada Byron", Language: "en", Passages: p})
	require.Contains(t, portrait, "Ada Byron talks mostly about")
	require.NotContains(t, portrait, "fair")
	portrait = write(t, engine.WriteRequest{Task: engine.TaskSpeaker, Prompt: "Grace", Language: "en", Passages: p})
	require.Equal(t, "Grace says nothing in this recording.", portrait)
}

// A question that also occurs in the transcript is answered with the sentence after it.
func TestLLMAnswersWithTheAnswer(t *testing.T) {
	t.Parallel()
	p := passages([]transcript.Utterance{
		{Speaker: "A", Text: "We met in Oslo."}, {Speaker: "B", Text: "Why did the bakery close?", Start: time.Second},
		{Speaker: "A", Text: "Nobody wanted to get up at three.", Start: 2 * time.Second}, {Speaker: "B", Text: "Tea is better.", Start: 3 * time.Second},
	}, "en", 3)
	answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: "Why did the bakery close?", Language: "en", Passages: p})
	require.True(t, strings.HasPrefix(answer, "- A: “Nobody wanted to get up at three.” [3.1]"), answer)
}

// The same request always gives the same text, also in concurrent calls.
func TestLLMIsDeterministic(t *testing.T) {
	t.Parallel()
	p := conversation(t, "en")
	for _, req := range []engine.WriteRequest{
		{Task: engine.TaskGenerate, Type: engine.OutputOverview}, {Task: engine.TaskGenerate, Type: engine.OutputKeyTopics},
		{Task: engine.TaskGenerate, Type: engine.OutputSocialPosts}, {Task: engine.TaskChat, Prompt: "customers and price"},
	} {
		req.Passages, req.Language = p, "en"
		want := write(t, req)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for range 4 {
					got, err := llm.Write(context.Background(), req)
					if err != nil || got != want {
						t.Errorf("error %v, got:\n%s\nwant:\n%s", err, got, want)
					}
				}
			})
		}
		wait.Wait()
	}
}

// Overlapping passages give the same text as a single passage.
func TestLLMOverlappingPassages(t *testing.T) {
	t.Parallel()
	p := conversation(t, "en")
	for _, kind := range builtIns {
		apart := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Passages: []transcript.Passage{
			{Label: "1.1", Title: "Pilot", Language: "en", Utterances: all(p)},
		}})
		require.Equal(t, apart, write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Passages: p}), kind)
	}
}

// An empty or very short transcript gets a valid text, never an empty one.
func TestLLMTinyTalks(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		for name, p := range map[string][]transcript.Passage{
			"nothing": nil, "silence": {{Label: "1.1", Language: language}}, "blank": passages([]transcript.Utterance{{Text: " … "}}, language, 1),
			"word": passages([]transcript.Utterance{{Speaker: "A", Text: "Ok."}}, language, 1),
		} {
			for _, task := range []engine.Task{engine.TaskGenerate, engine.TaskChat, engine.TaskSpeaker} {
				for _, kind := range append(builtIns, engine.OutputDynamic) {
					text := write(t, engine.WriteRequest{Task: task, Type: kind, Prompt: "A", Language: language, Passages: p})
					require.NotEmpty(t, strings.TrimSpace(text), "%s %s %s %s", language, name, task, kind)
					require.NotContains(t, text, "{", "%s %s %s %s", language, name, task, kind)
					if name != "word" {
						require.NotContains(t, text, "\n", "%s %s %s %s: %s", language, name, task, kind, text)
					}
				}
			}
		}
	}
}

// Write returns errors for an unknown task and a cancelled context.
func TestLLMRefuses(t *testing.T) {
	t.Parallel()
	_, err := llm.Write(t.Context(), engine.WriteRequest{Task: "sing"})
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = llm.Write(ctx, engine.WriteRequest{Task: engine.TaskChat})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, llm.ContextTokens(), 100_000)
}
