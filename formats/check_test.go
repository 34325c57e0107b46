package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// findings returns "line/cue rule: message" of each finding.
func findings(r formats.Report) (all []string) {
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%d/%d %s: %s", f.Line, f.Cue, f.Rule, f.Message))
	}
	return all
}

// broken has a file for each rule that breaks only that rule.
var broken = []struct {
	rule     formats.Rule
	name, in string
	want     string
	value    float64
}{
	{formats.RuleEncoding, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nDas ist schön.\n", "0/0 encoding: the file is not UTF-8; it was read as windows-1252.", 0},
	{formats.RuleEncoding, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nDas ist sch\uFFFDn.\n", "2/1 encoding: text line 1 has U+FFFD, a character that was lost.", 0},
	{formats.RuleSyntax, "a.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\nOne.\n\nTwo.\n", "6/0 syntax: text without a time line was skipped.", 0},
	{formats.RuleTimes, "a.vtt", "WEBVTT\n\n00:03.000 --> 00:01.000\nOne.\n", "3/1 times: the cue ends at 00:00:01.000, but starts at 00:00:03.000.", -2},
	{formats.RuleTimes, "a.vtt", "WEBVTT\n\n00:05.000 --> 00:07.000\nOne.\n\n00:01.000 --> 00:03.000\nTwo.\n", "6/2 times: the cue starts at 00:00:01.000, before the previous cue at 00:00:05.000.", 1},
	{formats.RuleEmpty, "a.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\n<i> </i>\n", "3/1 empty: the cue has no text.", 0},
	{formats.RuleWidth, "a.srt", "1\n00:00:01,000 --> 00:00:05,000\n" + strings.Repeat("x", 43) + "\n", "2/1 width: text line 1 has 43 columns; at most 42 are allowed.", 43},
	{formats.RuleWidth, "a.vtt", "WEBVTT\n\n00:01.000 --> 00:06.000\nすべての人間は自由である。\n尊厳と\n\n00:06.500 --> 00:12.500\nすべての人間は自由である。と\n", "7/2 width: text line 1 has 28 columns; at most 26 are allowed.", 28},
	{formats.RuleLines, "a.srt", "1\n00:00:01,000 --> 00:00:05,000\none two\nthree four\nfive six.\n", "2/1 lines: 3 lines; at most 2 are allowed.", 3},
	{formats.RuleLong, "a.srt", "1\n00:00:01,000 --> 00:00:08,002\nOne.\n", "2/1 long: the cue lasts 7.002 s; at most 7.000 s are allowed.", 7.002},
	{formats.RuleShort, "a.srt", "1\n00:00:01,000 --> 00:00:01,832\nOne.\n", "2/1 short: the cue lasts 0.832 s; at least 0.834 s are recommended.", 0.832},
	{formats.RuleSpeed, "a.srt", "1\n00:00:01,000 --> 00:00:02,000\nEighteen letters..\n", "2/1 speed: 18.0 characters per second; at most 17.0 are recommended.", 18},
	{formats.RuleOverlap, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nOne.\n\n2\n00:00:02,900 --> 00:00:05,000\nTwo.\n", "6/2 overlap: the cue starts 0.100 s before the end of cue 1.", 0.1},
	{formats.RuleGap, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nOne.\n\n2\n00:00:03,082 --> 00:00:05,000\nTwo.\n", "6/2 gap: the gap to cue 1 is 0.082 s; at least 0.084 s are recommended.", 0.082},
	{formats.RuleOrphan, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nI went to the shop\nfor.\n", "2/1 orphan: \"for.\" is alone in its line.", 4},
	{formats.RuleOrphan, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nThen the door began to\n\n2\n00:00:03,100 --> 00:00:05,000\nwipe.\n", "6/2 orphan: \"wipe.\" is alone in its cue, and the sentence began before.", 5},
	{formats.RuleName, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nthen I saw Ada\nLovelace again.\n", "2/1 name: \"Ada\" and \"Lovelace\" look like one name that is split between two lines.", 0},
	{formats.RuleName, "a.vtt", "WEBVTT\nLanguage: de\n\n00:01.000 --> 00:04.000\ndann ging die Frau\nMeier nach Hause.\n", "4/1 name: \"Frau\" and \"Meier\" look like one name that is split between two lines.", 0},
	{formats.RuleName, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nwe asked Dr.\n\n2\n00:00:03,100 --> 00:00:05,000\nOkonkwo about it.\n", "6/2 name: \"Dr.\" and \"Okonkwo\" look like one name that is split between two cues.", 0},
}

// Each rule finds what breaks it, with position and figure, and nothing else is found in these files.
func TestCheckRules(t *testing.T) {
	t.Parallel()
	seen := map[formats.Rule]bool{}
	for _, c := range broken {
		in := c.in
		if strings.Contains(c.want, "windows-1252") {
			in = strings.ReplaceAll(in, "ö", "\xf6")
		}
		r, err := formats.Check(c.name, strings.NewReader(in), formats.CheckOptions{})
		require.NoError(t, err, c.want)
		require.Equal(t, []string{c.want}, findings(r))
		require.Equal(t, c.rule, r.Findings[0].Rule)
		require.InDelta(t, c.value, r.Findings[0].Value, 1e-9, c.want)
		seen[c.rule] = true
	}
	for _, rule := range formats.Rules() {
		require.True(t, seen[rule], "no file breaks the rule %s", rule)
	}
}

// Files at the limits, or where two people talk, are clean.
func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ name, in string }{
		"Everything at its limit.": {"a.srt", "1\n00:00:01,000 --> 00:00:08,000\n" + strings.Repeat("x", 42) + "\n" + strings.Repeat("y", 42) + "\n\n" +
			"2\n00:00:08,084 --> 00:00:08,918\nFourteen chars\n"},
		"Two frames at 24 frames per second are 83 ms.": {"a.srt", "1\n00:00:01,000 --> 00:00:03,000\nOne.\n\n2\n00:00:03,083 --> 00:00:03,916\nTwo.\n"},
		"A dialogue.":         {"a.srt", "1\n00:00:01,000 --> 00:00:03,000\n–Ada\n–No.\n"},
		"An answer.":          {"a.srt", "1\n00:00:01,000 --> 00:00:03,000\nIs it true?\n\n2\n00:00:03,100 --> 00:00:05,000\nYes.\n"},
		"A new sentence.":     {"a.srt", "1\n00:00:01,000 --> 00:00:03,000\nI saw it.\nThen Ada came.\n"},
		"German nouns.":       {"a.vtt", "WEBVTT\nLanguage: de\n\n00:01.000 --> 00:04.000\ndann sah das Kind\nMeiers Katze zu Hause.\n"},
		"Capitals.":           {"a.srt", "1\n00:00:01,000 --> 00:00:04,000\nthe staff of NASA\nAND OTHERS, but I\n\n2\n00:00:04,100 --> 00:00:06,000\nAda saw it\n"},
		"Japanese.":           {"a.srt", "1\n00:00:01,000 --> 00:00:04,000\nうん\nそうです。\n"},
		"No cues.":            {"a.vtt", "WEBVTT\n"},
		"Voices that differ.": {"a.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\n<v A>and then the\n\n00:03.100 --> 00:05.000\n<v B>No.\n"},
	} {
		r, err := formats.Check(c.name, strings.NewReader(c.in), formats.CheckOptions{})
		require.NoError(t, err, claim)
		require.Empty(t, findings(r), claim)
	}
}

// Limits and language come from the options, and from the file first.
func TestCheckOptions(t *testing.T) {
	t.Parallel()
	in := "1\n00:00:01,000 --> 00:00:05,000\none two three four\n"
	r, err := formats.Check("a.srt", strings.NewReader(in), formats.CheckOptions{Language: "en", Limits: captions.Options{Columns: 17}})
	require.NoError(t, err)
	require.Equal(t, formats.Report{Format: "srt", Language: "en", Cues: 1, Findings: []formats.Finding{{
		Rule: formats.RuleWidth, Line: 2, Cue: 1, Start: time.Second, Value: 18, Limit: 17, Message: "text line 1 has 18 columns; at most 17 are allowed.",
	}}}, r)
	require.Equal(t, 1, r.Errors())
	for in, want := range map[string]transcript.Language{"これは本です": "ja", "这是一本书": "zh", "이것은 책이다": "ko", "यह एक किताब है": "hi", "This is a book": ""} {
		r, err := formats.Check("a.vtt", strings.NewReader("WEBVTT\n\n00:01.000 --> 00:05.000\n"+in+"\n"), formats.CheckOptions{})
		require.NoError(t, err)
		require.Equal(t, want, r.Language)
	}
	r, err = formats.Check("a.vtt", strings.NewReader("WEBVTT\nLanguage: nl\n\n"), formats.CheckOptions{Language: "en"})
	require.NoError(t, err)
	require.Equal(t, transcript.Language("nl"), r.Language)
}

// What has no captions is an error.
func TestCheckErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a.json", "{}", "The file has no captions."},
		{"a.doc", "hello", "The file has no captions."},
		{"a.vtt", "hello", "line 1, column 1: a WebVTT file must start with WEBVTT."},
		{"a.srt", "hello", "line 1, column 1: expected a cue number or a time line; the text was skipped."},
		{"a.ttml", "<tt>", "line 1, column 1: invalid XML: unexpected EOF."},
	} {
		_, err := formats.Check(c.name, strings.NewReader(c.in), formats.CheckOptions{})
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), c.in)
		require.Equal(t, c.want, fault.Message(err))
		err = formats.Fix(&bytes.Buffer{}, c.name, strings.NewReader(c.in), formats.CheckOptions{})
		require.Equal(t, c.want, fault.Message(err))
	}
}

// hardTranscripts returns what is hard to caption in a language: people who interrupt each other, fast speech, wide words, and brief turns.
func hardTranscripts(t *testing.T, language transcript.Language) map[string]transcript.Transcript {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(len(language))))
	words := wordsIn(t, language)
	all := map[string]transcript.Transcript{"a passage": passage(t, language), "a talk": talk(t, language, 0.1)}
	for n := range 5 {
		all[fmt.Sprint("crosstalk ", n)], _ = crosstalk(t, r, language)
	}
	var fast, wide, brief, together []transcript.Utterance
	at := time.Second
	for i := range 120 {
		speaker := transcript.SpeakerLabel(r.IntN(3))
		from := r.IntN(len(words) - 1)
		u := say(speaker, at, words[from:min(len(words), from+2+r.IntN(25))]...)
		for k := range u.Words { // 90 ms a word
			u.Words[k].Start = at + time.Duration(k)*90*time.Millisecond
			u.Words[k].End = u.Words[k].Start + 85*time.Millisecond
			u.End = u.Words[k].End
		}
		fast = append(fast, u)
		wide = append(wide, say(speaker, at, words[from], strings.Repeat(words[from+1], 5+r.IntN(20)), "https://example.org/"+strings.Repeat("abc-", r.IntN(30)), words[from]))
		b := say(transcript.SpeakerLabel(i%3), at, words[from])
		b.Words[0].End = at + time.Duration(50+r.IntN(700))*time.Millisecond
		b.End = b.Words[0].End
		brief = append(brief, b)
		together = append(together, say(speaker, max(0, u.Start-time.Duration(r.IntN(4000))*time.Millisecond), words[from:min(len(words), from+12)]...))
		at += u.End - u.Start + time.Duration(r.IntN(1200))*time.Millisecond
	}
	all["fast speech"], all["wide words"] = spoken(language, fast...), spoken(language, wide...)
	all["brief turns"], all["interruptions"] = spoken(language, brief...), spoken(language, together...)
	return all
}

// Our own captions in every language and profile have no errors, whatever is said.
func TestCheckOwnExports(t *testing.T) {
	t.Parallel()
	names := map[string]string{"Speaker 1": "Ada", "Speaker 2": "Grace Murray Hopper"}
	for _, language := range transcript.Languages() {
		for what, tr := range hardTranscripts(t, language) {
			for _, profile := range captions.Profiles() {
				limits, _ := captions.Profile(profile)
				for _, format := range []string{"vtt", "srt", "ttml", "ebuttd", "ass"} {
					out := write(t, format, tr, formats.Options{Names: names, Captions: limits})
					r, err := formats.Check("a."+format, bytes.NewReader(out), formats.CheckOptions{Language: language, Limits: limits})
					require.NoError(t, err)
					require.Positive(t, r.Cues)
					for _, f := range r.Findings {
						require.True(t, f.Warning, "%s, %s as %s for %s: %d/%d %s %s", what, language, format, profile, f.Line, f.Cue, f.Rule, f.Message)
					}
				}
			}
		}
	}
}

// Fix leaves no errors and every letter, in any of the formats.
func TestFix(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("These are many words in one line, ", 6) + "and they never end"
	for name, in := range map[string]string{
		"a.srt":  "1\n00:00:01,000 --> 00:00:20,000\n" + wide + "\n\n2\n00:00:19,000 --> 00:00:21,000\nat all.\n\n3\n00:00:21,010 --> 00:00:21,100\nOh\nno.\nReally\n",
		"b.srt":  "1\n00:00:01,000 --> 00:00:04,000\n- Where is he?\n- Over there, I guess.\n\n2\n00:00:05,000 --> 00:00:07,000\nI see.\n",
		"a.vtt":  "WEBVTT\nLanguage: en\n\n00:01.000 --> 00:20.000\n<v Ada>" + wide + "\n\n00:20.000 --> 00:21.000\n<v Ada>at all.\n\n00:25.000 --> 00:24.000\n<v Bob>Yes.\n",
		"b.vtt":  "WEBVTT\n\n00:01.000 --> 00:20.000\n" + strings.Repeat("すべての人間は生まれながらにして自由である。", 4) + "\n",
		"a.ttml": tt("", `<body><div><p begin="1s" end="20s">`+wide+`</p></div></body>`),
	} {
		before, err := formats.Parse(name, strings.NewReader(in))
		require.NoError(t, err)
		r, err := formats.Check(name, strings.NewReader(in), formats.CheckOptions{})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, formats.Fix(&out, name, strings.NewReader(in), formats.CheckOptions{}))
		fixedName := strings.Replace(name, "ttml", "vtt", 1)
		after, err := formats.Parse(fixedName, bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		require.Equal(t, lettersOf(before.Transcript), lettersOf(after.Transcript), name)
		require.Equal(t, before.Labels(), after.Labels(), name)
		require.NotContains(t, out.String(), " - ", "a dash begins a line")
		fixed, err := formats.Check(fixedName, bytes.NewReader(out.Bytes()), formats.CheckOptions{})
		require.NoError(t, err)
		require.Zero(t, fixed.Errors(), "%s: %v\n%s", name, findings(fixed), out.String())
		if name != "b.srt" {
			require.Positive(t, r.Errors(), name)
		}
	}
}

// Fix leaves a clean file as it is.
func TestFixKeepsCleanFiles(t *testing.T) {
	t.Parallel()
	in := "1\r\n00:00:01,000 --> 00:00:02,000\r\nOne is here.\r\n\r\n2\r\n00:00:02,600 --> 00:00:04,000\r\nTwo is there.\r\n"
	var out bytes.Buffer
	require.NoError(t, formats.Fix(&out, "a.srt", strings.NewReader(in), formats.CheckOptions{Language: "en"}))
	require.Equal(t, in, out.String())
}

// Any file is refused or checked, and what can be fixed can be checked again.
func FuzzCheck(f *testing.F) {
	for _, c := range broken {
		f.Add(c.name, c.in)
	}
	for _, c := range vttRules {
		f.Add("a.vtt", c.in)
	}
	f.Fuzz(func(t *testing.T, name, in string) {
		r, err := formats.Check(name, strings.NewReader(in), formats.CheckOptions{})
		if err != nil {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
			return
		}
		require.LessOrEqual(t, len(r.Findings), 10_000)
		for _, f := range r.Findings {
			require.LessOrEqual(t, f.Cue, r.Cues)
			require.NotEmpty(t, f.Message)
		}
		var out bytes.Buffer
		if err := formats.Fix(&out, name, strings.NewReader(in), formats.CheckOptions{}); err != nil {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
			return
		}
		if out.Len() > 0 {
			_, err = formats.Check(map[bool]string{true: "a.srt", false: "a.vtt"}[r.Format == "srt"], &out, formats.CheckOptions{})
			require.NoError(t, err)
		}
	})
}

// A file that can't be read has no report.
func TestCheckUnreadable(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := formats.Check("a.vtt", iotest.ErrReader(broken), formats.CheckOptions{})
	require.ErrorIs(t, err, broken)
}

// The turns of a dialogue share the time of their cue.
func TestFixDialogue(t *testing.T) {
	t.Parallel()
	const srt = "1\n00:00:01,000 --> 00:00:04,000\n- Where were you last night?\n- At home, all evening long.\n"
	var fixed strings.Builder
	require.NoError(t, formats.Fix(&fixed, "a.srt", strings.NewReader(srt), formats.CheckOptions{}))
	p, err := formats.Parse("a.srt", strings.NewReader(fixed.String()))
	require.NoError(t, err)
	require.Len(t, p.Utterances, 2)
	for _, u := range p.Utterances {
		require.Greater(t, u.End-u.Start, time.Second, fixed.String())
	}
}

// Fix takes time in proportion to the file, whatever its cues are, and refuses more than a million words.
func TestFixLarge(t *testing.T) {
	t.Parallel()
	cue := func(text string) string { return "1\n00:00:01,000 --> 00:00:03,000\n" + text + "\n" }
	began := time.Now()
	for claim, in := range map[string]string{
		"Many words.":       cue(strings.Repeat("a ", 50_000)),
		"A wide word.":      cue(strings.Repeat("a", 3_000_000)),
		"A Japanese text.":  cue(strings.Repeat("日本語", 10_000)),
		"A wide ja word.":   "WEBVTT\nLanguage: ja\n\n00:01.000 --> 00:03.000\n" + strings.Repeat("a", 1_000_000),
		"Many short cues.":  strings.Repeat(cue("one"), 10_000),
		"Many empty lines.": cue("one" + strings.Repeat("\n<i></i>", 100_000)),
	} {
		require.NoError(t, formats.Fix(&bytes.Buffer{}, "a.srt", strings.NewReader(in), formats.CheckOptions{}), claim)
	}
	require.Less(t, time.Since(began), 30*time.Second) // a quadratic step takes minutes
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(formats.Fix(&bytes.Buffer{}, "a.srt", strings.NewReader(cue("a")), formats.CheckOptions{To: "ttml"})))
	err := formats.Fix(&bytes.Buffer{}, "a.srt", strings.NewReader(cue(strings.Repeat("a ", 1_000_001))), formats.CheckOptions{})
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	require.Equal(t, "The file has 1000001 words; at most 1000000 can be fixed.", fault.Message(err))
}
