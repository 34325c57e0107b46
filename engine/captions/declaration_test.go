package captions_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// articlesAndPrepositions are words that lines shouldn't end with. They were written apart from the tables of this package.
var articlesAndPrepositions = map[transcript.Language]string{
	"en": "the a an of at from with into upon between without against",
	"de": "der das den dem des ein eine einem einen einer von mit für bei ohne durch gegen zwischen",
	"es": "el los las un una de del al con para por sin sobre entre contra",
	"fr": "le les un une des du de au aux avec pour par sans sur dans entre contre",
	"id": "di ke dari untuk dengan oleh dalam terhadap tanpa para",
	"it": "il gli un una di del della dei delle al alla con per tra nel nella senza dal dalla",
	"nl": "de het een van met voor bij zonder tussen tegen",
	"no": "en et av med fra mot mellom uten ved",
	"pl": "w z ze do od na dla bez przez przy przed między",
	"pt": "os um uma de do da dos das em no na com para por pelo pela sem entre contra",
	"ru": "в во с со к на от до из для без при над под между",
	"sv": "en ett av med från mot mellan utan",
	"uk": "в у з із до від на для без при над під між",
}

// In the Universal Declaration of Human Rights, hardly a line ends with an article or preposition. A few remain
// where a preposition belongs to two phrases, or where a long name follows.
func TestDeclaration(t *testing.T) {
	t.Parallel()
	for language, list := range articlesAndPrepositions {
		words := " " + list + " "
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile("testdata/udhr/" + string(language) + ".txt")
			require.NoError(t, err)
			lines, bad := 0, 0
			for paragraph := range strings.Lines(string(data)) {
				s := spell(strings.TrimSpace(paragraph), language)
				tr := transcript.Transcript{Language: language, Utterances: []transcript.Utterance{{Text: s.text, End: s.words[len(s.words)-1].End, Words: s.words}}}
				for _, o := range []captions.Options{{Columns: 42}, {Columns: 32}} {
					for _, cue := range captions.Build(tr, nil, o) {
						for line := range strings.Lines(cue.Text()) {
							lines++
							line = strings.TrimSpace(line)
							if last := line[strings.LastIndex(line, " ")+1:]; strings.Contains(words, " "+strings.ToLower(last)+" ") {
								bad++
								t.Logf("%d columns: %s", o.Columns, line)
							}
						}
					}
				}
			}
			require.Greater(t, lines, 100)
			require.LessOrEqual(t, bad*250, lines, "at most 0.4 % of the lines")
			t.Logf("%s: %d lines, %d end with an article or preposition", language, lines, bad)
		})
	}
}
