package render_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// planned returns the plan of a three-second vertical clip with the request's words and title.
func planned(tb testing.TB, r render.Request) render.Plan {
	tb.Helper()
	if r.Window.End == 0 {
		r.Window = window(0, 3000)
	}
	p, err := render.NewPlan(film1080(), speech(), r)
	require.NoError(tb, err)
	return p
}

// events returns the texts of the events in an ASS file.
func events(ass string) (texts []string) {
	for line := range strings.Lines(ass) {
		if event, ok := strings.CutPrefix(line, "Dialogue: "); ok {
			texts = append(texts, strings.TrimSuffix(strings.SplitN(event, ",", 10)[9], "\n"))
		}
	}
	return texts
}

// ours matches the overrides that this package writes.
var ours = regexp.MustCompile(`\{(\\(an\d|pos\(\d+,\d+\)|p1|1a&H[0-9A-F]{2}&|c&H[0-9A-F]{6}&|fs[\d.]+|fn[\w ]+|fsc[xy]\d+|r(Hot)?|clip\(\d+,\d+,\d+,\d+\)|t\(0,\d+,\\clip\(\d+,\d+,\d+,\d+\)\)))+\}`)

// shown returns the visible text of an event as libass reads it: without overrides, with line breaks.
func shown(text string) string {
	text = ours.ReplaceAllString(text, "")
	return strings.NewReplacer(`\N`, "\n", "\\\u2060", `\`, `\{`, `{`, `\}`, `}`).Replace(text)
}

// User text is never markup: no override, no drawing, no line break, no extra event.
func TestTextIsNeverMarkup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"override":      {`{\an8}up`, `{\an8}up`},
		"drawing":       {`{\p1}m 0 0 l 9 9`, `{\p1}m 0 0 l 9 9`},
		"line break":    {`one\Ntwo\nthree\h`, `one\Ntwo\nthree\h`},
		"escaped brace": {`\{b\}`, `\{b\}`},
		"backslashes":   {`\\N\\\{`, `\\N\\\{`},
		"event":         {"x\nDialogue: 0,0:00:00.00,0:00:09.00,Title,,0,0,0,,y", "x Dialogue: 0,0:00:00.00,0:00:09.00,Title,,0,0,0,,y"},
		"section":       {"x\r\n[Events]", "x [Events]"},
		"quotes":        {`"it's" 100 % %d ,;:`, `"it's" 100 % %d ,;:`},
		"filter":        {`a',drawtext=text='b`, `a',drawtext=text='b`},
		"direction":     {"a\u202eb\u2066c\u200fd", "abcd"},
		"not text":      {"a\x00b\xffc\u2028d", "a bc d"},
		"marks":         {"a" + strings.Repeat("\u0301", 50), "a" + strings.Repeat("\u0301", 7)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, render.Request{Title: c.text, Style: engine.StyleLines, Words: []transcript.Word{{Text: c.text, Start: time.Second, End: 2 * time.Second}}})
			got := events(p.Title + p.Captions)
			require.GreaterOrEqual(t, len(got), 2)
			require.Equal(t, c.want, strings.ReplaceAll(shown(got[0]), "\n", " "), "title")
			caption := shown(strings.Join(got[1:], "")) // a text that is wider than a line is several captions
			require.Equal(t, strings.Join(strings.Fields(c.want), ""), strings.Join(strings.Fields(caption), ""), "caption")
			args, err := p.Args("/in", "/out", 1)
			require.NoError(t, err)
			require.NotContains(t, strings.Join(args, " "), c.text)
		})
	}
}

func FuzzTextIsNeverMarkup(f *testing.F) {
	for _, seed := range []string{`{\an8}up`, `one\Ntwo`, "\\{", "a\nb", "👩‍👩‍👧 {", "ok } \\", "\\\u2060{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := planned(t, render.Request{Title: text, Style: engine.StyleBoxed, Words: []transcript.Word{
			{Text: text, Start: time.Second, End: 2 * time.Second}, {Text: "b", Start: 2 * time.Second, End: 3 * time.Second},
		}})
		for _, ass := range []string{p.Title, p.Captions} {
			require.True(t, utf8.ValidString(ass))
			for _, event := range events(ass) {
				left := ours.ReplaceAllString(event, "")
				left = strings.NewReplacer("\\\u2060", "", `\{`, "", `\}`, "", `\N`, "").Replace(left)
				require.NotContains(t, left, `\`)
				require.NotContains(t, left, `{`)
				require.NotContains(t, left, `}`)
			}
			if ass == "" {
				continue
			}
			require.Len(t, strings.Split(ass, "[Events]\n"), 2)
			for line := range strings.Lines(strings.Split(ass, "[Events]\n")[1]) {
				require.Regexp(t, `^(Format|Dialogue): `, line)
			}
		}
	})
}

// Emoji are left out with a note; symbols that any font has are kept.
func TestEmoji(t *testing.T) {
	t.Parallel()
	p := planned(t, render.Request{Title: "Fire 🔥🚀", Style: engine.StyleLines, Words: wordsOf("so 👩‍👩‍👧 good 🇩🇪 ❤️ 1️⃣ → №1 © 🔥", 0, 3*time.Second)})
	got := events(p.Title + p.Captions)
	require.Equal(t, "Fire", shown(got[0]))
	require.Equal(t, "so good → №1 ©", strings.Join(strings.Fields(shown(strings.Join(got[1:], " "))), " "))
	require.Len(t, p.Notes, 1)
	for _, emoji := range []string{"🔥", "🚀", "👩‍👩‍👧", "🇩🇪", "❤️", "1️⃣"} {
		require.Equal(t, 1, strings.Count(p.Notes[0], emoji), emoji)
	}
}

// A title has at most two lines, in smaller letters if necessary, and an ellipsis if it still doesn't fit.
func TestTitle(t *testing.T) {
	t.Parallel()
	line := func(text string) []string {
		return strings.Split(shown(events(planned(t, render.Request{Title: text}).Title)[0]), "\n")
	}
	require.Equal(t, []string{"Short"}, line("Short"))
	require.Equal(t, []string{"How two people plan", "a podcast every day"}, line("How two people plan a podcast every day"))
	long := line(strings.Repeat("A very long title ", 30))
	require.Len(t, long, 2)
	require.True(t, strings.HasSuffix(long[1], "…"), long)
	require.Len(t, line("二人でポッドキャストを企画する方法について話します二人でポッドキャ"), 2)
	require.NotEmpty(t, line(strings.Repeat("W", 500)))
	require.Empty(t, planned(t, render.Request{Title: " \n "}).Title)
	// Korean breaks between words, Chinese after punctuation.
	require.Equal(t, []string{"안녕하세요. 오늘은 팟캐스트에", "대해 이야기하고 사람들이"}, line("안녕하세요. 오늘은 팟캐스트에 대해 이야기하고 사람들이"))
	chinese := events(planned(t, render.Request{Title: "今天我们来谈谈播客，以及人们为什么喜欢听播客。", Language: "zh"}).Title)[0]
	require.Equal(t, "今天我们来谈谈播客，\n以及人们为什么喜欢听播客。", shown(chinese))

	// A Japanese title never breaks before a particle.
	p := planned(t, render.Request{Language: "ja", Title: spoken["ja"].title, Aspect: engine.AspectVertical})
	require.Contains(t, p.Title, `二人でポッドキャストを\N企画する方法について`)
}

// At every moment of a caption exactly one word is highlighted, and all words are shown in order.
func TestWordByWord(t *testing.T) {
	t.Parallel()
	for _, style := range []engine.RenderStyle{engine.StyleCaptions, engine.StyleBoxed, engine.StyleKaraoke, engine.StylePop} {
		p := planned(t, render.Request{Style: style, Words: wordsOf("one two three. four five", 500*time.Millisecond, 2500*time.Millisecond)})
		var texts []string
		for _, event := range events(p.Captions) {
			if text := strings.Join(strings.Fields(shown(event)), " "); len(texts) == 0 || texts[len(texts)-1] != text {
				texts = append(texts, text)
			}
		}
		require.Equal(t, []string{"one two three.", "four five"}, texts, style)
		require.Contains(t, p.Captions, ",0:00:00.50,0:00:00.90,Caption")
		require.Contains(t, p.Captions, ",0:00:00.90,0:00:01.30,Caption")
	}
	// A sentence without spaces, which some transcribers return as one word, is highlighted piece by piece, whatever its
	// cues are.
	whole := func(words []transcript.Word, _ transcript.Language, _ render.CueLimits) []render.Cue {
		return []render.Cue{{Start: 0, End: 3 * time.Second, Lines: [][]transcript.Word{words}}}
	}
	sentence := []transcript.Word{{Text: "今日はPodcastを聞きます。", Start: 0, End: 3 * time.Second}}
	require.Greater(t, len(events(planned(t, render.Request{Language: "ja", Cues: whole, Words: sentence}).Captions)), 5)
	// A line without highlight is one event.
	require.Len(t, events(planned(t, render.Request{Style: engine.StyleLines, Words: wordsOf("one two three", 0, time.Second)}).Captions), 1)
}

// Captions of two people who speak at the same time are stacked, not drawn over each other.
func TestOverlappingSpeech(t *testing.T) {
	t.Parallel()
	cues := func([]transcript.Word, transcript.Language, render.CueLimits) []render.Cue {
		return []render.Cue{
			{Start: 0, End: 2 * time.Second, Lines: [][]transcript.Word{wordsOf("I was saying", 0, 2*time.Second)}},
			{Start: time.Second, End: 3 * time.Second, Lines: [][]transcript.Word{wordsOf("yes", time.Second, 2*time.Second)}},
		}
	}
	got := events(planned(t, render.Request{Style: engine.StyleLines, Cues: cues, Words: wordsOf("x", 0, time.Second)}).Captions)
	require.Contains(t, got[0], `\pos(540,384)`)
	require.Contains(t, got[1], `\pos(540,191)`)
}

// The limits are enforced on what a caller's builder returns: lines, words, window and size.
func TestCuesAreTidied(t *testing.T) {
	t.Parallel()
	var asked render.CueLimits
	words := wordsOf("a b c d e f g h i j k l m n o p", -time.Second, 7*time.Second)
	p := planned(t, render.Request{Words: words, Cues: func(w []transcript.Word, l transcript.Language, limits render.CueLimits) []render.Cue {
		asked = limits
		require.Equal(t, transcript.DefaultLanguage, l)
		return []render.Cue{{Start: -time.Second, End: 9 * time.Second, Lines: [][]transcript.Word{w[:2], nil, w[2:3], w[3:]}}, {Start: 1, End: 2}}
	}})
	require.Equal(t, render.CueLimits{Columns: asked.Columns, Lines: 2, Words: 6}, asked)
	n := 0
	for i, cue := range p.Cues {
		require.LessOrEqual(t, len(cue.Lines), 2)
		require.LessOrEqual(t, len(cue.Words()), 6)
		require.GreaterOrEqual(t, cue.Start, time.Duration(0))
		require.LessOrEqual(t, cue.End, 3*time.Second)
		if i > 0 {
			require.GreaterOrEqual(t, cue.Start, p.Cues[i-1].End)
		}
		n += len(cue.Words())
	}
	require.Equal(t, 6, n, "the words inside the window")

	// Short gaps between captions are closed so that they don't flicker; a pause stays.
	p = planned(t, render.Request{Words: words, Cues: func(w []transcript.Word, _ transcript.Language, _ render.CueLimits) []render.Cue {
		return []render.Cue{{Start: 0, End: 400 * time.Millisecond, Lines: [][]transcript.Word{w[:1]}},
			{Start: 484 * time.Millisecond, End: time.Second, Lines: [][]transcript.Word{w[1:2]}}, {Start: 2 * time.Second, End: 3 * time.Second, Lines: [][]transcript.Word{w[2:3]}}}
	}})
	require.Equal(t, []time.Duration{484 * time.Millisecond, time.Second}, []time.Duration{p.Cues[0].End, p.Cues[1].End})

	// A part without any time of its own is left out.
	same := wordsOf("a b c d e f g h i j k l m", time.Second, 2*time.Second)
	for i := range same[:12] {
		same[i].Start = time.Second
	}
	p = planned(t, render.Request{Words: same, Cues: func(w []transcript.Word, _ transcript.Language, _ render.CueLimits) []render.Cue {
		return []render.Cue{{Start: time.Second, End: 2 * time.Second, Lines: [][]transcript.Word{w}}}
	}})
	for _, cue := range p.Cues {
		require.Less(t, cue.Start, cue.End)
	}
	require.NotEmpty(t, p.Cues)

	// A word that is too wide is broken, and the letters keep their size.
	wide := planned(t, render.Request{Words: wordsOf("so "+strings.Repeat("wide", 10), 0, time.Second)})
	require.NotContains(t, wide.Captions, `\fs`)
	require.Len(t, wide.Cues[0].Words(), 3)
}

// Captions that follow the speech word by word keep together what belongs together, as caption files do. These sentences were seen to
// break badly: a bar is the end of a caption, a slash that of a line.
func TestCaptionBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		style engine.RenderStyle
		text  string
		want  string
	}{
		{engine.StyleCaptions, "The report quotes: 3.5 million dollars for the whole project.", "The report quotes:/3.5 million dollars|for the whole project."},
		{engine.StyleCaptions, "And then she said: “I don't think that the New York Times would print it.”", "And then she said:|“I don't think|that the New York Times|would print it.”"},
		{engine.StyleCaptions, "You only have to give the old table a quick wipe.", "You only have to give|the old table/a quick wipe."},
		{engine.StyleKaraoke, "Tonight we welcome Dr. Okonkwo and her friend J. R. Smith from Lagos.", "Tonight we welcome/Dr. Okonkwo|and her friend/J. R. Smith from Lagos."},
		{engine.StylePop, "It costs 3.5 million dollars. Ask Ada Lovelace about it.", "It costs|3.5 million dollars.|Ask Ada Lovelace|about it."},
	} {
		words := wordsOf(c.text, 0, time.Duration(len(c.text))*65*time.Millisecond)
		p := planned(t, render.Request{Style: c.style, Words: words, Window: window(0, 20000)})
		var texts []string
		for _, cue := range p.Cues {
			var lines []string
			for _, line := range cue.Lines {
				lines = append(lines, transcript.JoinWords(line, "en"))
			}
			texts = append(texts, strings.Join(lines, "/"))
		}
		require.Equal(t, c.want, strings.Join(texts, "|"))
	}
}

// Brief turns of two speakers share a caption, and no two captions are shown at once.
func TestDialogue(t *testing.T) {
	t.Parallel()
	words := append(wordsOf("No.", 0, 300*time.Millisecond), wordsOf("Hm.", 300*time.Millisecond, 600*time.Millisecond)...)
	words = append(words, wordsOf("I was going to say something", 900*time.Millisecond, 3*time.Second)...)
	words = append(words, wordsOf("Never mind that now", 2*time.Second, 4*time.Second)...)
	for i, speaker := range []int{0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1} {
		words[i].Speaker = transcript.SpeakerLabel(speaker)
	}
	for _, style := range []engine.RenderStyle{engine.StyleLines, engine.StyleCaptions} {
		p := planned(t, render.Request{Style: style, Words: words, Window: window(0, 5000)})
		require.Equal(t, "- No.\n- Hm.", shown(events(p.Captions)[0]))
		for i, cue := range p.Cues[1:] {
			require.GreaterOrEqual(t, cue.Start, p.Cues[i].End, style)
		}
	}
}

// Captions of a request narrow the frame's limits, and never widen them.
func TestRequestCaptions(t *testing.T) {
	t.Parallel()
	words := wordsOf("They walked along the river and talked about the weather", 0, 5*time.Second)
	longest := func(o captions.Options) (columns, lines int, length time.Duration) {
		for _, cue := range planned(t, render.Request{Style: engine.StyleLines, Captions: o, Words: words, Window: window(0, 6000)}).Cues {
			lines, length = max(lines, len(cue.Lines)), max(length, cue.End-cue.Start)
			for _, line := range cue.Lines {
				columns = max(columns, len(transcript.JoinWords(line, "en")))
			}
		}
		return columns, lines, length
	}
	usual, lines, _ := longest(captions.Options{})
	require.Equal(t, 2, lines)
	wide, _, _ := longest(captions.Options{Columns: 80})
	require.Equal(t, usual, wide)
	narrow, lines, length := longest(captions.Options{Columns: 14, Lines: 1, MaxDuration: 1500 * time.Millisecond})
	require.LessOrEqual(t, narrow, 14)
	require.Equal(t, 1, lines)
	require.LessOrEqual(t, length, 1500*time.Millisecond+500*time.Millisecond, "short gaps are closed")
}

// Captions that are too fast to read are reported, with the reading speed that was asked for or that the language and style have.
func TestFastCaptions(t *testing.T) {
	t.Parallel()
	calm, hurried := wordsOf("They walked along the river.", 0, 3*time.Second), wordsOf("Nobody expected that announcement.", 4*time.Second, 4900*time.Millisecond)
	words := append(calm, hurried...)
	for _, c := range []struct {
		style engine.RenderStyle
		cps   float64
		limit float64
		fast  int
	}{
		{engine.StyleLines, 0, 20, 1}, {engine.StyleLines, 60, 60, 0}, {engine.StyleLines, 5, 5, 2},
		{engine.StyleCaptions, 0, 40, 0}, {engine.StyleCaptions, 30, 30, 1},
	} {
		p := planned(t, render.Request{Style: c.style, Words: words, Window: window(0, 5000), Captions: captions.Options{ReadingSpeed: c.cps}})
		require.InDelta(t, c.limit, p.ReadingSpeed, 0, c.style)
		require.Len(t, p.Fast, c.fast, "%s at %g characters per second", c.style, c.limit)
		for _, cue := range p.Fast {
			require.Contains(t, p.Cues, cue)
		}
	}
}

// Short gaps are closed, unless a gap was asked for.
func TestGap(t *testing.T) {
	t.Parallel()
	words := wordsOf("They walked along the river. Then they talked about the weather for a while.", 0, 5*time.Second)
	for gap, want := range map[time.Duration]time.Duration{0: 0, -1: 0, 200 * time.Millisecond: 200 * time.Millisecond} {
		p := planned(t, render.Request{Style: engine.StyleLines, Words: words, Window: window(0, 6000), Captions: captions.Options{Gap: gap, Columns: 30}})
		require.Greater(t, len(p.Cues), 1)
		for i, cue := range p.Cues[1:] {
			require.Equal(t, want, cue.Start-p.Cues[i].End, "asked for %s", gap)
		}
	}
}

// A word of a transcript can be a whole sentence, of a script or a transcriber without spaces. It is broken, and none of its characters is lost.
func TestLongWords(t *testing.T) {
	t.Parallel()
	look, err := render.Preset("podcast-dark")
	require.NoError(t, err)
	for _, language := range []transcript.Language{"", "en", "zh", "ja"} {
		for name, sentence := range map[string]string{
			"Thai":    "กระทรวงศึกษาธิการประกาศว่าโรงเรียนทั่วประเทศจะเปิดเรียนตามปกติในวันจันทร์ที่จะถึงนี้เนื่องจากสถานการณ์น้ำท่วมคลี่คลายแล้ว",
			"Chinese": strings.Repeat("教育部宣布全国各地的学校将于下周一照常开学，因为洪水灾害的情况已经得到了很大的缓解。", 4),
			"address": "https://www.example.com/" + strings.Repeat("a/very/long/path/that/never/ends/", 5) + "index.html",
		} {
			for _, style := range []*render.Style{nil, &look} {
				words := []transcript.Word{{Text: sentence, Start: 0, End: 20 * time.Second}}
				p := planned(t, render.Request{Words: words, Language: language, Look: style, Window: window(0, 20000)})
				var got strings.Builder
				for _, cue := range p.Cues {
					for _, w := range cue.Words() {
						got.WriteString(w.Text)
					}
				}
				require.Equal(t, sentence, got.String(), "%s as %q", name, language)
				require.Empty(t, p.Notes)
			}
		}
	}
}

// A word with more characters than anybody says in the longest clip is cut, with a note.
func TestEndlessWord(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("ก", 1<<18), strings.Repeat("a\u0301\u0302", 1<<17)} {
		words := append(wordsOf("so far", 0, time.Second), transcript.Word{Text: text, Start: time.Second, End: 20 * time.Second})
		start := time.Now()
		p := planned(t, render.Request{Words: words, Window: window(0, 20000)})
		require.Less(t, time.Since(start), 20*time.Second)
		require.Equal(t, []string{"A word of more than 10000 characters was shortened."}, p.Notes)
	}
}

// A line that mixes directions is set in that of most letters, not of its first one.
func TestLineDirection(t *testing.T) {
	t.Parallel()
	const toLeft, toRight = "\u200f", "\u200e"
	for text, mark := range map[string]string{
		"Sony מודיעה היום": toLeft, "מודיעה על Sony": "", "one two three": "", "אחת שתיים 33": "", "דוד said hello": toRight, "He said דוד": "",
	} {
		for _, style := range []engine.RenderStyle{engine.StyleLines, engine.StyleCaptions, engine.StyleBoxed} {
			for _, event := range events(planned(t, render.Request{Style: style, Words: wordsOf(text, 0, 2*time.Second)}).Captions) {
				require.Equal(t, mark+text, strings.ReplaceAll(shown(event), "\n", " "), style)
			}
		}
	}
	// A line without a letter of the language has the direction of its caption: its full stop is on the left.
	foreign := render.Request{Style: engine.StyleLines, Language: "he", Words: wordsOf("בוקר Kubernetes-Administrators (Berlin).", 0, 2*time.Second)}
	require.Equal(t, "בוקר Kubernetes-\n"+toLeft+"Administrators (Berlin)"+toRight+".", shown(events(planned(t, foreign).Captions)[0]))
	// The language decides, if it is written from right to left.
	for _, language := range []transcript.Language{"ar", "ar-EG", "ur", "ckb-Arab"} {
		event := events(planned(t, render.Request{Style: engine.StyleLines, Language: language, Words: wordsOf("Apple Music في", 0, 2*time.Second)}).Captions)[0]
		require.Equal(t, toLeft+"Apple Music في", shown(event), language)
	}
}
