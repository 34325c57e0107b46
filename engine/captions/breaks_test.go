package captions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// utteranceOf makes a transcript of one utterance with a text and its tokens, which last 60 ms per column.
func utteranceOf(language transcript.Language, text string, tokens ...string) transcript.Transcript {
	u := transcript.Utterance{Text: text}
	var at time.Duration
	for _, s := range tokens {
		end := at + time.Duration(columnsOf(s)+1)*60*time.Millisecond
		u.Words = append(u.Words, transcript.Word{Text: s, Start: at, End: end})
		at = end
	}
	u.End = at
	return transcript.Transcript{Language: language, Utterances: []transcript.Utterance{u}}
}

// Texts that were seen to break badly, and how they break now. A bar is the end of a caption, a slash that of a line.
func TestBreaks(t *testing.T) {
	t.Parallel()
	few := captions.Options{Columns: 22, Words: 6}
	for name, c := range map[string]struct {
		language transcript.Language
		text     string
		o        captions.Options
		want     string
	}{
		"amount":               {"en", "The report quotes: 3.5 million dollars for that.", few, "The report quotes:|3.5 million dollars/for that."},
		"name after quotation": {"en", "Later she said: “I don't think that the New York Times would print this.”", few, "Later she said:|“I don't think that|the New York Times/would print this.”"},
		"last word":            {"en", "You only have to give the old table a wipe.", few, "You only have to give|the old table a wipe."},
		"abbreviation":         {"en", "The final match was Norway vs. Sweden that evening, and nobody went home.", captions.Options{Columns: 32}, "The final match was Norway/vs. Sweden that evening,|and nobody went home."},
		"sentence inside":      {"en", "It rained. Nobody in the whole old village expected that weather this year.", captions.Options{Columns: 32}, "It rained.|Nobody in the whole old village/expected that weather this year."},
		"rest":                 {"en", "They told us that Prof. Lindqvist would never pay more than 1 000 000 euros for the painting when it was sold on the morning of 5 p.m..", captions.Options{Columns: 24, Linger: 300 * time.Millisecond}, "They told us/that Prof. Lindqvist|would never pay more/than 1 000 000 euros|for the painting/when it was sold|on the morning/of 5 p.m.."},
		"title":                {"en", "I would like to introduce to all of you Dr. Okonkwo from Lagos.", captions.Options{Columns: 42, Lines: 1}, "I would like to introduce|to all of you Dr. Okonkwo from Lagos."},
		"initials":             {"en", "The book that we read at school was by J. R. R. Tolkien of course.", captions.Options{Columns: 42, Lines: 1}, "The book that we read at school was|by J. R. R. Tolkien of course."},
		"capitals":             {"en", "THEY SAID THAT THE HOUSE AND ALL OF THE GARDEN BELONGED TO NOBODY AT ALL", captions.Options{Columns: 42}, "THEY SAID THAT THE HOUSE AND ALL/OF THE GARDEN BELONGED TO NOBODY AT ALL"},
		"no-break space":       {"fr", "Et il nous a demandé\u00a0: quand est-ce que vous partez\u00a0?", captions.Options{Columns: 24}, "Et il nous a demandé\u00a0:|quand est-ce/que vous partez\u00a0?"},
	} {
		tr := utteranceOf(c.language, c.text, strings.Fields(strings.ReplaceAll(c.text, "\u00a0", " \u00a0"))...)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, shown(captions.Build(tr, nil, c.o)))
		})
	}
}

// Spaces come from the text of the utterance, not from its tokens: one per character in Chinese, or with punctuation apart.
func TestSpacesOfText(t *testing.T) {
	t.Parallel()
	characters := func(text string) []string { return strings.Split(strings.ReplaceAll(text, " ", ""), "") }
	for _, c := range []struct {
		language transcript.Language
		text     string
		tokens   []string
		want     string
	}{
		{"zh", "他们在2024年发布了GPT-4o。", characters("他们在2024年发布了GPT-4o。"), "他们在2024年发布了GPT-4o。"},
		{"zh", "我用 Windows 11 看 YouTube。", characters("我用 Windows 11 看 YouTube。"), "我用 Windows 11 看 YouTube。"},
		{"ja", "私のiPhoneは5年です。", characters("私のiPhoneは5年です。"), "私のiPhoneは5年です。"},
		{"en", "Hello, I don't know.", []string{"Hello", ",", "I", "do", "n't", "know", "."}, "Hello, I don't know."},
		{"fr", "Oui\u00a0: c'est «\u202fvrai\u202f».", []string{"Oui", ":", "c'", "est", "«", "vrai", "»", "."}, "Oui\u00a0: c'est «\u202fvrai\u202f»."},
		{"ko", "네, 좋아요.", []string{"네", ",", "좋아", "요", "."}, "네, 좋아요."},
	} {
		cues := captions.Build(utteranceOf(c.language, c.text, c.tokens...), nil, captions.Options{Columns: 60, MaxDuration: time.Minute})
		require.Equal(t, c.want, shown(cues))
		require.Len(t, cues[0].Lines[0].Words, len(c.tokens), "words keep their times")
	}
}

// Quotation marks that are words of their own stay with the words they quote, in the manner of the language. Closing punctuation stays
// with the word before it, even if it comes late.
func TestMarksStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
	}{
		{"en", `He often said " wait for me " and then he left " by night " again .`},
		{"de", "Er sagte oft „ warte auf mich “ und dann ging er » sehr weit « weg ."},
		{"fr", "Il disait souvent « attends un peu » : et puis il partait ; vraiment ?"},
		{"sv", "Han sade ofta ” vänta på mig ” och sedan gick han » bort » igen ."},
		{"es", "Siempre decía ( espera un poco ) y luego se iba ¡ muy lejos ! otra vez ."},
	} {
		tr := utteranceOf(c.language, c.text, strings.Fields(c.text)...)
		for columns := 12; columns < 40; columns++ {
			for _, cue := range captions.Build(tr, nil, captions.Options{Columns: columns}) {
				for _, l := range cue.Lines {
					first, last := l.Words[0].Text, l.Words[len(l.Words)-1].Text
					require.NotContains(t, ".:;?!)“", first, "%d columns: %s", columns, cue.Text())
					require.NotContains(t, "(¡„", last, "%d columns: %s", columns, cue.Text())
					if len(l.Words) > 1 && (first == `"` || first == "”") {
						require.Contains(t, "wait by vänta", l.Words[1].Text, "%d columns: %s", columns, cue.Text())
					}
				}
			}
		}
	}
	late := utteranceOf("fr", "Elle nous demande : où allez-vous ?", "Elle", "nous", "demande", ":", "où", "allez-vous", "?")
	for i := range late.Utterances[0].Words[3:] {
		late.Utterances[0].Words[3+i].Start += 3 * time.Second
		late.Utterances[0].Words[3+i].End += 3 * time.Second
	}
	require.Equal(t, "Elle nous demande :|où allez-vous ?", shown(captions.Build(late, nil, captions.Options{})))
}

// A word wider than a line is broken: after a mark if it has one, else anywhere between characters, with a hyphen between letters.
func TestWideWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
		want     string
	}{
		{"de", "Sagt Donaudampfschifffahrtsgesellschaft bitte.", "Sagt|Donaudampfschifff-/ahrtsgesellschaft|bitte."},
		{"en", "See example.com/a/very/long/path?with=query now.", "See|example.com/a/very//long/path?with=query|now."},
		{"ru", "превысокомногорассмотрительствующий", "превысокомногорасс-/мотрительствующий"},
		{"hi", "नमस्तेनमस्तेनमस्तेनमस्तेनमस्तेनमस्तेनमस्ते", "नमस्तेनमस्तेनमस्तेनम/स्तेनमस्तेनमस्तेनमस्ते"},
		{"", "รัฐบาลประกาศว่าโรงเรียนทั่วประเทศจะเปิดเรียน", "รัฐบาลประกาศว่าโรง|เรียนทั่วประ/เทศจะเปิดเรียน"},
		{"", "วันศุกร์ที่สิบห้าพฤษภาคมหลังจากปิดนาน", "วันศุกร์ที่สิบห้าพฤษ/ภาคมหลังจากปิดนาน"},
		{"", "မြန်မာနိုင်ငံတွင်ကျောင်းများပိတ်ထားသည်", "မြန်မာနိုင်ငံတွင်ကျောင်း/များပိတ်ထားသည်"},
		{"", "ប្រទេសកម្ពុជាបានបើកសាលារៀនឡើងវិញនៅថ្ងៃចន្ទ", "ប្រទេសកម្ពុជាបានបើកសា/លារៀនឡើងវិញនៅថ្ងៃចន្ទ"},
		{"en", strings.Repeat("👩‍👩‍👧", 4), strings.Repeat("👩‍👩‍👧", 2) + "/" + strings.Repeat("👩‍👩‍👧", 2)}, // narrower than its characters
		{"zh", strings.Repeat("长", 13), strings.Repeat("长", 6) + "/" + strings.Repeat("长", 7)},
	} {
		cues := captions.Build(utteranceOf(c.language, c.text, strings.Fields(c.text)...), nil, captions.Options{Columns: 20})
		require.Equal(t, c.want, shown(cues))
		for i, cue := range cues {
			require.Less(t, cue.Start, cue.End)
			require.True(t, i == 0 || cue.Start >= cues[i-1].End)
		}
	}
}

// A word of the transcriber that is several words is broken at its spaces.
func TestWideWordWithSpaces(t *testing.T) {
	t.Parallel()
	const text = "several words that were given as one"
	require.Equal(t, "several words/that were given/as one", shown(captions.Build(utteranceOf("en", text, text), nil, captions.Options{Columns: 18, Lines: 3})))
}

func shown(cues []captions.Cue) string {
	var all []string
	for _, c := range cues {
		all = append(all, strings.ReplaceAll(c.Text(), "\n", "/"))
	}
	return strings.Join(all, "|")
}
