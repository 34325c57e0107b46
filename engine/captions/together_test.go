package captions_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// spelled is a sentence of the corpus: its words, and where they must not be split.
type spelled struct {
	text   string
	words  []transcript.Word
	group  []int // of each word: words of one group belong together; 0 for none
	widths map[int]int
}

var slot = regexp.MustCompile(`\{(\w+)\}`)

// together returns the corpus of a language: each sentence of a folder of testdata with some combinations of its slots. Brackets surround
// words that belong together.
func together(t *testing.T, folder string, language transcript.Language, combinations int) (all []spelled) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + folder + "/" + string(language) + ".txt")
	require.NoError(t, err)
	slots, number := map[string][]string{}, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if name, values, ok := strings.Cut(line, ": "); ok && !strings.Contains(name, " ") && strings.Contains(values, " | ") {
			slots[name] = strings.Split(values, " | ")
			continue
		}
		for combination := range combinations {
			k := number
			text := slot.ReplaceAllStringFunc(line, func(s string) string {
				values := slots[s[1:len(s)-1]]
				k += 3 + combination/len(values)
				return values[(k+combination)%len(values)]
			})
			all = append(all, spell(text, language))
		}
		number++
	}
	return all
}

// spell makes a sentence whose words last 60 ms per column. Chinese and Japanese sentences have a word per character.
func spell(text string, language transcript.Language) spelled {
	s := spelled{widths: map[int]int{}}
	group, inside, clean := 0, false, strings.Builder{}
	var word strings.Builder
	end := func() {
		if word.Len() == 0 {
			return
		}
		s.add(word.String(), group, inside)
		word.Reset()
	}
	for _, r := range text {
		switch {
		case r == '[':
			end()
			group, inside = group+1, true
			continue
		case r == ']':
			if !language.Spaced() {
				end()
				inside = false
				continue
			}
			word.WriteRune(0) // the group ends with this word
			continue
		case r == ' ':
			end()
		default:
			word.WriteRune(r)
			if !language.Spaced() {
				end()
			}
		}
		if strings.HasSuffix(word.String(), "\x00") && r == ' ' {
			inside = false
		}
		clean.WriteRune(r)
		if r == ' ' && s.closed() {
			inside = false
		}
	}
	end()
	for i := range s.words {
		s.words[i].Text = strings.ReplaceAll(s.words[i].Text, "\x00", "")
	}
	s.text = strings.ReplaceAll(clean.String(), "\x00", "")
	return s
}

// closed reports whether the last word ends its group.
func (s *spelled) closed() bool {
	return len(s.words) > 0 && strings.Contains(s.words[len(s.words)-1].Text, "\x00")
}

func (s *spelled) add(text string, group int, inside bool) {
	shown := strings.ReplaceAll(text, "\x00", "")
	w := columnsOf(shown)
	var at time.Duration
	if n := len(s.words); n > 0 {
		at = s.words[n-1].End
	}
	if !inside {
		group = 0
	}
	s.words = append(s.words, transcript.Word{Text: text, Start: at, End: at + time.Duration(w+1)*60*time.Millisecond})
	s.group = append(s.group, group)
	s.widths[group] += w + 1
}

func columnsOf(s string) (n int) {
	for _, r := range s {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n++
		}
	}
	return n + utf8.RuneCountInString(s)
}

// splits returns the groups that cues split though they fit a line.
func (s *spelled) splits(cues []captions.Cue, o captions.Options) (found []string) {
	var lines [][]transcript.Word
	for _, c := range cues {
		for _, l := range c.Lines {
			lines = append(lines, l.Words)
		}
	}
	at := 0
	for i, l := range lines {
		at += len(l)
		if at == 0 || at >= len(s.words) || i == len(lines)-1 {
			continue
		}
		if g := s.group[at-1]; g != 0 && g == s.group[at] && s.widths[g] <= o.Columns {
			found = append(found, fmt.Sprintf("%s | %s", l[len(l)-1].Text, s.words[at].Text))
		}
	}
	return found
}

// In 408 sentences of each language, at several widths, no caption splits what belongs together: numbers and units, names, articles and
// nouns, quotations, and words of Latin letters in Chinese and Japanese.
func TestTogether(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		limits := []captions.Options{{Columns: 42}, {Columns: 37}, {Columns: 32}, {Columns: 26}, {Columns: 30, Words: 6, MaxPause: 800 * time.Millisecond}}
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			sentences := together(t, "together", language, 34)
			require.GreaterOrEqual(t, len(sentences), 400)
			cues, wrong := 0, map[string]string{}
			for i, s := range sentences {
				if testing.Short() && i%5 > 0 {
					continue
				}
				tr := transcript.Transcript{Language: language, Utterances: []transcript.Utterance{{Text: s.text, End: s.words[len(s.words)-1].End, Words: s.words}}}
				for _, o := range limits {
					built := captions.Build(tr, nil, o)
					cues += len(built)
					for _, split := range s.splits(built, o) {
						wrong[split] = fmt.Sprintf("%d columns: %s", o.Columns, linesOf(built))
					}
				}
			}
			require.Empty(t, wrong)
			t.Logf("%d sentences, %d cues", len(sentences), cues)
		})
	}
}

func linesOf(cues []captions.Cue) string {
	var lines []string
	for _, c := range cues {
		lines = append(lines, c.Text())
	}
	return strings.Join(lines, "\n--\n")
}
