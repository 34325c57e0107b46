package formats

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// said returns an utterance whose words last half a second each.
func said(speaker string, start time.Duration, text string) transcript.Utterance {
	u := transcript.Utterance{Speaker: speaker, Text: text, Start: start, End: start}
	for w := range strings.FieldsSeq(text) {
		u.Words = append(u.Words, transcript.Word{Text: w, Start: u.End, End: u.End + 500*time.Millisecond})
		u.End += 500 * time.Millisecond
	}
	return u
}

func documentOf(chapters []Chapter, utterances ...transcript.Utterance) document {
	return prepareDocument(transcript.Transcript{Language: "en", Utterances: utterances}, Options{Chapters: chapters, Names: map[string]string{"Speaker 1": "Ann", "Speaker 2": "Ann"}})
}

// outline returns sections as lines: the title, then the time and text of each paragraph.
func outline(sections []section) string {
	var b strings.Builder
	for _, s := range sections {
		if s.titled {
			fmt.Fprintln(&b, "#", s.chapter.Title)
		}
		for _, p := range s.paragraphs {
			fmt.Fprintln(&b, p.Start, p.Name+":", p.Text)
		}
	}
	return b.String()
}

// A chapter begins at the nearest sentence, else at the nearest word, and never loses text.
func TestSections(t *testing.T) {
	t.Parallel()
	const s = time.Second
	talk := []transcript.Utterance{
		said("Speaker 0", 0, "One two three four. Five six seven eight."), // 0 to 4 s
		said("Speaker 1", 5*s, "Nine ten."),
		said("Speaker 0", 20*s, strings.Repeat("word ", 40)+"end."), // 20 to 40.5 s, without a sentence end inside
	}
	long := strings.Repeat("word ", 39)
	for _, c := range []struct {
		name     string
		chapters []Chapter
		want     string
	}{
		{"none", nil, "0s Speaker 1: One two three four. Five six seven eight.\n5s Ann: Nine ten.\n20s Speaker 1: " + long + "word end.\n"},
		{"from the start, and at turns", []Chapter{{Title: "A"}, {Start: 5 * s, Title: "B"}, {Start: 10 * s, Title: "C"}},
			"# A\n0s Speaker 1: One two three four. Five six seven eight.\n# B\n5s Ann: Nine ten.\n# C\n20s Speaker 1: " + long + "word end.\n"},
		{"inside a sentence", []Chapter{{Start: 2600 * time.Millisecond, Title: "A"}},
			"0s Speaker 1: One two three four.\n# A\n2s Speaker 1: Five six seven eight.\n5s Ann: Nine ten.\n20s Speaker 1: " + long + "word end.\n"},
		{"near the end of a turn", []Chapter{{Start: 3900 * time.Millisecond, Title: "A"}},
			"0s Speaker 1: One two three four. Five six seven eight.\n# A\n5s Ann: Nine ten.\n20s Speaker 1: " + long + "word end.\n"},
		{"far from sentences", []Chapter{{Start: 30200 * time.Millisecond, Title: "A"}},
			"0s Speaker 1: One two three four. Five six seven eight.\n5s Ann: Nine ten.\n20s Speaker 1: " + strings.TrimSpace(strings.Repeat("word ", 20)) +
				"\n# A\n30s Speaker 1: " + strings.TrimSpace(strings.Repeat("word ", 20)) + " end.\n"},
		{"unsorted, negative, untitled, after the end", []Chapter{{Start: time.Hour, Title: " late\n"}, {Start: -s}},
			"# 00:00:00\n0s Speaker 1: One two three four. Five six seven eight.\n5s Ann: Nine ten.\n20s Speaker 1: " + long + "word end.\n# late\n"},
	} {
		require.Equal(t, c.want, outline(documentOf(c.chapters, talk...).sections()), c.name)
	}
	require.Equal(t, "# A\n", outline(documentOf([]Chapter{{Title: "A"}}).sections()))
}

// However many chapters there are, the paragraphs of all sections have the words of the transcript in their order.
func TestSectionsKeepText(t *testing.T) {
	t.Parallel()
	talk := []transcript.Utterance{said("Speaker 0", 0, "One two. Three, four. Five."), said("Speaker 1", 2*time.Second, "Six seven. Eight."), said("Speaker 0", 3*time.Second, "Nine. Ten eleven twelve.")}
	for step := 100 * time.Millisecond; step < 6*time.Second; step += 100 * time.Millisecond {
		var chapters []Chapter
		for at := step; at < 7*time.Second; at += step {
			chapters = append(chapters, Chapter{Start: at, Title: "x"})
		}
		var texts []string
		for _, s := range documentOf(chapters, talk...).sections() {
			for _, p := range s.paragraphs {
				texts = append(texts, p.Text)
			}
		}
		require.Equal(t, "One two. Three, four. Five. Six seven. Eight. Nine. Ten eleven twelve.", strings.Join(texts, " "), step)
	}
}

// The time of a speaker counts overlaps once. Labels with one name are one speaker.
func TestTalkTimes(t *testing.T) {
	t.Parallel()
	const s = time.Second
	from := func(speaker string, start, end time.Duration) transcript.Utterance {
		return transcript.Utterance{Speaker: speaker, Text: "x", Start: start, End: end}
	}
	times := documentOf(nil,
		from("Speaker 1", 0, 10*s), from("Speaker 1", 5*s, 12*s), from("Speaker 1", 6*s, 7*s), // 12 s
		from("", 12*s, 20*s),
		from("Speaker 0", 20*s, 26*s),
		from("Speaker 1", 25*s, 26*s), from("Speaker 2", 27*s, 28*s), // Ann, too
	).talkTimes()
	require.Equal(t, []talkTime{{"Ann", 14 * s, 2, 0.7}, {"Speaker 1", 6 * s, 1, 0.3}}, times)
	require.Empty(t, documentOf(nil).talkTimes())
	require.Equal(t, "00:00:10", talkTime{time: 9500 * time.Millisecond}.clock())
}

// Shares are written as the language writes them.
func TestPercent(t *testing.T) {
	t.Parallel()
	for l, want := range map[transcript.Language]string{"en": "67%", "de": "67\u00a0%", "fr": "67\u202f%", "tr": "%67", "": "67%"} {
		require.Equal(t, want, percent(2.0/3, l), l)
	}
}
