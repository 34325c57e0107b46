package render_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// letters is the number of characters of a text without punctuation and spaces.
func letters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	return n
}

// wordsAs returns the words of a text of 24 s as a transcriber has them: sentences, words, or characters. Longer ones take longer.
func wordsAs(kind, text string) (words []transcript.Word) {
	at, total := 0, utf8.RuneCountInString(text)
	moment := func() time.Duration { return 24 * time.Second * time.Duration(at) / time.Duration(total) }
	for rest, state := text, -1; rest != ""; {
		var part string
		switch kind {
		case "sentences":
			part, rest, _ = strings.Cut(rest, "\n")
		case "words":
			part, rest, state = uniseg.FirstWordInString(rest, state)
		default:
			part, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		}
		w := transcript.Word{Text: strings.TrimSpace(part), Start: moment()}
		at += utf8.RuneCountInString(part)
		if w.End = moment(); w.Text != "" {
			words = append(words, w)
		}
	}
	return words
}

// In Japanese, Chinese, and Korean, captions of few words break at sensible places, whatever the words of the transcript are: no line begins with
// closing punctuation, no caption goes beyond the end of a sentence, and none is the tail of a polite form or one character.
func TestShortCaptions(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it breaks thousands of captions")
	step := 30
	if *frames != "" {
		step = 6
	}
	for _, language := range []transcript.Language{"ja", "zh", "ko"} {
		b, err := os.ReadFile(filepath.Join("..", "engine", "fake", "sentences", string(language)+".txt"))
		require.NoError(t, err)
		sentences := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(b), "{}", "")), "\n")
		for _, preset := range []string{"big-caps", "bold-pop", "minimal", "podcast-dark"} {
			style, err := render.Preset(preset)
			require.NoError(t, err)
			for kind := range map[string]bool{"sentences": true, "words": true, "characters": true} {
				if language == "ko" && kind != "words" { // its words have spaces between them
					continue
				}
				for i := 0; i+6 <= len(sentences); i += step {
					text := strings.Join(sentences[i:i+6], "\n")
					words := wordsAs(kind, text)
					if language == "ko" {
						words = wordsOf(text, 0, 24*time.Second)
					}
					p := planned(t, render.Request{Window: window(0, 25_000), Words: words, Language: language, Look: &style})
					requireSensible(t, p.Cues, language, text)
				}
			}
		}
	}
}

func requireSensible(t *testing.T, cues []render.Cue, language transcript.Language, text string) {
	t.Helper()
	for i, c := range cues {
		said := transcript.JoinWords(c.Words(), language)
		for _, line := range c.Lines {
			first, _ := utf8.DecodeRuneInString(line[0].Text)
			require.False(t, unicode.In(first, unicode.Pe, unicode.Pf) || strings.ContainsRune("。、，！？；：…・ー?!.,ゃゅょっァィゥェォャュョッ", first), "a line begins with %c in %q", first, said)
		}
		if language == "ko" {
			continue
		}
		ends := strings.IndexAny(said, "。！？")
		if ends >= 0 {
			require.LessOrEqual(t, letters(said[ends:]), 0, "%q goes beyond a sentence", said)
		}
		require.False(t, letters(said) == 1 && !strings.Contains("\n"+text, "\n"+said), said)
		if i > 0 && letters(said) <= 2 && !strings.Contains("\n"+text, "\n"+said) {
			require.NotContains(t, []string{"す。", "すね。", "した。", "すか？", "うか？", "せん。", "た。", "う。", "ね。"}, said, "after %q", transcript.JoinWords(cues[i-1].Words(), language))
		}
	}
}
