package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// found searches and returns the results.
func (s *stage) found(r engine.SearchRequest) []engine.SearchResult {
	s.t.Helper()
	results, err := s.Search(context.Background(), s.caller, r)
	require.NoError(s.t, err)
	return results
}

// titles returns the recording titles of results, in their order.
func titles(results []engine.SearchResult) []string {
	var out []string
	for _, r := range results {
		out = append(out, r.RecordingTitle)
	}
	return out
}

// Transcripts, titles, and generated content are found in that order, each with the matching line and its time.
func TestSearch(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	r := s.spoken("The harbour at night", "en", "A: Good evening from the pier.\nB: Nobody paints a harbour like Anna does.")
	s.spoken("Something else", "en", "A: Not here.")
	o := engine.Output{
		ID: "output", RecordingID: r.ID, SpaceID: r.SpaceID, Type: engine.OutputQuotes, Status: engine.OutputCompleted,
		Text: "# Quotes\n\n> Nobody paints a **harbour** like Anna does.", CreatedAt: s.Now(),
	}
	require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
		if err := tx.PutOutput(o); err != nil {
			return err
		}
		return engine.IndexOutput(tx, o)
	}))
	want := []engine.SearchResult{
		{Kind: search.DocumentTranscript, RecordingID: r.ID, RecordingTitle: r.Title, Snippet: "Nobody paints a harbour like Anna does.", Start: 3700 * ms},
		{Kind: search.DocumentRecording, RecordingID: r.ID, RecordingTitle: r.Title, Snippet: "The harbour at night"},
		{
			Kind: search.DocumentContent, RecordingID: r.ID, RecordingTitle: r.Title, Snippet: "> Nobody paints a **harbour** like Anna does.",
			OutputID: "output", OutputType: engine.OutputQuotes,
		},
	}
	require.Equal(t, want, s.found(engine.SearchRequest{Query: "HARBOUR"}))
	for category, result := range map[engine.SearchCategory]engine.SearchResult{
		engine.SearchTranscripts: want[0], engine.SearchRecordings: want[1], engine.SearchContent: want[2],
	} {
		require.Equal(t, []engine.SearchResult{result}, s.found(engine.SearchRequest{Query: "harbour", Category: category}))
	}
	apart := s.found(engine.SearchRequest{Query: "anna harbour nobody pier"})
	require.Len(t, apart, 1, "words may be in several utterances")
	require.Equal(t, 2500*ms, apart[0].Start, "the first match in the utterance with most words")
	require.Empty(t, s.found(engine.SearchRequest{Query: "harbour lighthouse"}), "every word is required")
	require.Empty(t, s.found(engine.SearchRequest{Query: "?!…"}))
	require.NotNil(t, s.found(engine.SearchRequest{Query: "?!…"}))
}

// Words are found in every language: regardless of case and diacritics, in parts of a word with an apostrophe, and as runs of
// characters in languages without spaces.
func TestSearchLanguages(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	for _, c := range []struct {
		language transcript.Language
		script   string
		finds    []string
		misses   []string
		start    time.Duration // of the first of finds
	}{
		{"en", "A: They don't know.", []string{"don't", "dont", "DON’T"}, []string{"knowing"}, 400 * ms},
		{"de", "A: Die Straße war schön.", []string{"STRASSE", "strasse schon", "schön"}, []string{"strass"}, 400 * ms},
		{"es", "A: Mañana será.", []string{"manana", "sera"}, nil, 0},
		{"fr", "A: C’est l’amour, déjà.", []string{"amour", "l'amour", "deja", "lamour"}, []string{"mour"}, 400 * ms},
		{"hi", "A: यह ज़मीन है।", []string{"जमीन", "ज़मीन"}, []string{"मीन"}, 400 * ms},
		{"id", "A: Selamat pagi semua.", []string{"PAGI"}, nil, 400 * ms},
		{"it", "A: Perché no.", []string{"perche"}, nil, 0},
		{"ja", "A: 東京都に住んでいます。", []string{"東京都", "都", "住んで"}, []string{"京東", "都住"}, 0},
		{"ko", "A: 한국어를 배웁니다.", []string{"한국어", "배"}, []string{"국한"}, 0},
		{"nl", "A: Een coördinatie.", []string{"coordinatie"}, nil, 400 * ms},
		{"no", "A: Blåbær og fløte.", []string{"blabaer", "flote"}, nil, 0},
		{"pl", "A: Zażółć gęślą jaźń.", []string{"zazolc gesla jazn"}, nil, 0},
		{"pt", "A: O coração bate.", []string{"coracao"}, nil, 400 * ms},
		{"ru", "A: Ещё одна ёлка.", []string{"елка", "ЁЛКА", "еще"}, nil, 800 * ms},
		{"sv", "A: En räksmörgås.", []string{"raksmorgas"}, nil, 400 * ms},
		{"tr", "A: İstanbul'da ışık.", []string{"istanbul", "ISIK", "ISTANBUL'DA"}, nil, 0},
		{"uk", "A: Це об'єднання їжі.", []string{"об’єднання", "обєднання", "Їжі"}, nil, 400 * ms},
		{"zh", "A: 我们在学习人工智能。", []string{"人工智能", "学"}, []string{"智人"}, 800 * ms},
	} {
		r := s.spoken(string(c.language), c.language, c.script)
		for i, q := range c.finds {
			results := s.found(engine.SearchRequest{Query: q, Category: engine.SearchTranscripts, Limit: 25})
			require.Contains(t, titles(results), r.Title, q)
			if i == 0 {
				for _, result := range results {
					if result.RecordingID == r.ID {
						require.Equal(t, c.start, result.Start, q)
					}
				}
			}
		}
		for _, q := range c.misses {
			require.NotContains(t, titles(s.found(engine.SearchRequest{Query: q, Category: engine.SearchTranscripts})), r.Title, q)
		}
	}
}

// A run of characters is found only where it occurs as a whole, not where only its pairs occur.
func TestSearchRuns(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	s.spoken("true", "ja", "A: ここは東京都です。")
	s.spoken("turned", "ja", "A: 京都と東京です。")
	s.spoken("mixed", "ja", "A: 京都東京。")
	s.spoken("apart", "ja", "A: 東京です。\nB: 京都です。")
	s.spoken("laugh", "ja", "A: あああ。")
	search := func(q string) []string {
		return titles(s.found(engine.SearchRequest{Query: q, Category: engine.SearchTranscripts}))
	}
	require.Equal(t, []string{"true"}, search("東京都"))
	require.ElementsMatch(t, []string{"true", "turned", "mixed", "apart"}, search("東京"))
	require.ElementsMatch(t, []string{"true", "turned", "mixed", "apart"}, search("京都　東京"), "two runs, in any order and part")
	require.Equal(t, []string{"laugh"}, search("あああ"))
	require.Empty(t, search("ああああ"), "a shorter run must not match")
	require.Equal(t, []string{"laugh"}, search("あ"))
}

// The best result is first: rarer words, more often, and closer together. Ties are sorted newest first. Each category is limited.
func TestSearchRanking(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	filler := strings.Repeat(" and on it goes", 40)
	s.spoken("once", "en", "A: A lighthouse."+filler)
	s.spoken("thrice", "en", "A: A lighthouse is a lighthouse is a lighthouse."+filler)
	s.spoken("short", "en", "A: A lighthouse.")
	require.Equal(t, []string{"short", "thrice", "once"}, titles(s.found(engine.SearchRequest{Query: "lighthouse", Category: engine.SearchTranscripts})))

	s.spoken("apart", "en", "A: The red door.\nB: It stands on the hill.")
	s.spoken("together", "en", "A: The red hill.\nB: It stands on the door.")
	require.Equal(t, []string{"together", "apart"}, titles(s.found(engine.SearchRequest{Query: "red hill", Category: engine.SearchTranscripts})))

	for i := range 30 {
		s.spoken(fmt.Sprintf("Episode %d", i), "en", "A: Hm.")
	}
	newest := titles(s.found(engine.SearchRequest{Query: "episode", Category: engine.SearchRecordings}))
	require.Equal(t, []string{"Episode 29", "Episode 28", "Episode 27", "Episode 26", "Episode 25"}, newest)
	require.Len(t, s.found(engine.SearchRequest{Query: "episode", Limit: 1}), 1)
	require.Len(t, s.found(engine.SearchRequest{Query: "episode", Limit: 1000}), engine.MaxSearchLimit)
}

// A long text is cut around the match at word borders, and "…" marks omitted text.
func TestSearchSnippet(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	before, after := strings.Repeat("before ", 60), strings.Repeat("after ", 60)
	s.spoken("middle", "en", "A: "+before+"the lighthouse "+after)
	s.spoken("begin", "en", "A: Foghorns sound "+after)
	s.spoken("end", "en", "A: "+before+"anemone.")
	s.spoken("wide", "zh", "A: "+strings.Repeat("前言，", 40)+"灯塔"+strings.Repeat("后语。", 40))
	s.spoken("hindi", "hi", "A: "+strings.Repeat("पहले की बात ", 40)+"दीपस्तंभ "+strings.Repeat("बाद की बात ", 40))
	for q, want := range map[string]struct{ prefix, suffix string }{
		"lighthouse": {"…before", "after…"}, "foghorns": {"Foghorns sound after", "after…"}, "anemone": {"…before", "before anemone."},
		"灯塔": {"…", "…"}, "दीपस्तंभ": {"…", "…"},
	} {
		results := s.found(engine.SearchRequest{Query: q, Category: engine.SearchTranscripts})
		require.Len(t, results, 1, q)
		cut := results[0].Snippet
		require.Contains(t, strings.ToLower(cut), q)
		require.True(t, strings.HasPrefix(cut, want.prefix), cut)
		require.True(t, strings.HasSuffix(cut, want.suffix), cut)
		require.LessOrEqual(t, len([]rune(cut)), 162, cut)
		require.Greater(t, len([]rune(cut)), 100, cut)
	}
	require.Equal(t, 60*400*ms+400*ms, s.found(engine.SearchRequest{Query: "lighthouse"})[0].Start)
}

// Texts of another user or an inactive space are not found, and another user's space looks missing.
func TestSearchIsolation(t *testing.T) {
	t.Parallel()
	s := newStage(t, scripted(engine.Config{}))
	defer s.start()()
	s.spoken("Harbour", "en", "A: The harbour.")
	other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	results, err := s.Search(t.Context(), other, engine.SearchRequest{Query: "harbour"})
	require.NoError(t, err)
	require.Empty(t, results)
	_, err = s.Search(t.Context(), other, engine.SearchRequest{Query: "harbour", SpaceID: "space"})
	requireCode(t, engine.CodeNotFound, err)
	second, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Second"})
	require.NoError(t, err)
	require.Len(t, s.found(engine.SearchRequest{Query: "harbour"}), 2)
	require.Len(t, s.found(engine.SearchRequest{Query: "harbour", SpaceID: "space"}), 2)
	require.Empty(t, s.found(engine.SearchRequest{Query: "harbour", SpaceID: second.ID}))
	_, err = s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error { sp.Inactive = true; return nil })
	require.NoError(t, err)
	require.Empty(t, s.found(engine.SearchRequest{Query: "harbour"}))
	require.Empty(t, s.found(engine.SearchRequest{Query: "harbour", SpaceID: "space"}))
}

// An invalid search is refused with a message.
func TestSearchValidation(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	for name, r := range map[string]engine.SearchRequest{
		"no query":         {},
		"blank":            {Query: " \t"},
		"too long":         {Query: strings.Repeat("é", 501)},
		"no UTF-8":         {Query: "\xff"},
		"control":          {Query: "a\x00"},
		"limit":            {Query: "a", Limit: -1},
		"unknown category": {Query: "a", Category: "everything"},
	} {
		_, err := s.Search(t.Context(), s.caller, r)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), name)
	}
	require.Empty(t, s.found(engine.SearchRequest{Query: strings.Repeat("é", 500)}))
	_, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "a", SpaceID: "nothing"})
	requireCode(t, engine.CodeNotFound, err)
}
