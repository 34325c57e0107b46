package formats

import (
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Fix reads a caption file as Check does and writes it with new cues, lines, and times within the limits. It writes CheckOptions.To, else SRT
// for SRT, and VTT for others. Speakers and the order of all words stay; styles, positions, comments, and what couldn't be read are dropped. Lines that begin
// with a dash become cues of their own. It returns the errors of Parse, CodeInvalid for another CheckOptions.To, and
// CodeTooLarge for more than a million words.
func Fix(w io.Writer, name string, r io.Reader, o CheckOptions) error {
	const op = "Fix"
	if !slices.Contains([]string{"", "srt", "vtt"}, o.To) {
		return fault.Errorf(fault.CodeInvalid, op, "Fixed captions can't be written as %q.", o.To).WithHint("Use vtt or srt.")
	}
	k, text, found, err := readFile(op, name, r)
	if err != nil {
		return err
	}
	f, err := readCaptionFile(op, k, text)
	if err != nil {
		return err
	}
	language := newChecker(f, o).language
	f.problems = found
	splitDialogue(&f)
	p, err := f.transcript(op)
	if err != nil {
		return err
	}
	if n := countWords(p.Utterances, language); n > maxWords {
		return fault.Errorf(fault.CodeTooLarge, op, "The file has %d words; at most %d can be fixed.", n, maxWords).WithHint("Split it.")
	}
	p.Language = language
	p.Duration = 0 // of the media, which is unknown
	p.Utterances = joinSentences(p.Utterances, language, o.Limits.WithDefaults(language).MaxPause)
	if o.Limits.Linger == 0 {
		o.Limits.Linger = -1 // the cues of the file stay after the last word already
	}
	if o.To == "srt" || o.To == "" && k == kindSRT {
		return WriteSRT(w, p.Transcript, Options{Captions: o.Limits})
	}
	return WriteVTT(w, p.Transcript, Options{Captions: o.Limits})
}

// maxWords is the most words that Fix breaks again. People say a million in four days.
const maxWords = 1_000_000

// countWords counts words, or characters in languages without spaces.
func countWords(utterances []transcript.Utterance, l transcript.Language) int {
	n := 0
	for _, u := range utterances {
		if l.Spaced() {
			n += strings.Count(u.Text, " ") + 1
		} else {
			n += utf8.RuneCountInString(u.Text)
		}
	}
	return n
}

// splitDialogue makes a cue of each speaker's text and of each line that begins with a dash. They share the time of their cue.
func splitDialogue(f *captionFile) {
	var cues []sourceCue
	for _, c := range f.cues {
		var parts []sourceCue
		for _, s := range c.spans {
			for i, l := range strings.Split(s.text, "\n") {
				if n := len(parts); n > 0 && i > 0 && !isDialogue(strings.TrimSpace(l)) {
					parts[n-1].spans = append(parts[n-1].spans, span{s.speaker, l})
					continue
				}
				parts = append(parts, sourceCue{line: c.line, spans: []span{{s.speaker, l}}})
			}
		}
		cues = append(cues, shareTime(c, parts)...)
	}
	f.cues = cues
}

// shareTime gives the parts of a cue times in proportion to their text, and joins each part's lines again.
func shareTime(c sourceCue, parts []sourceCue) []sourceCue {
	if len(parts) < 2 {
		return []sourceCue{c}
	}
	total, done := 0, 0
	for _, p := range parts {
		total += runesOf(p)
	}
	for i := range parts {
		parts[i].start = c.start + (c.end-c.start)*time.Duration(done)/time.Duration(max(total, 1))
		done += runesOf(parts[i])
		parts[i].end = c.start + (c.end-c.start)*time.Duration(done)/time.Duration(max(total, 1))
		parts[i].spans = joinSpans(parts[i].spans)
	}
	return parts
}

func runesOf(c sourceCue) int {
	n := 1
	for _, s := range c.spans {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// joinSpans joins the lines of one speaker.
func joinSpans(lines []span) []span {
	var w spanWriter
	for _, l := range lines {
		w.add(l.speaker, l.text+"\n")
	}
	return w.take()
}

const maxJoined = time.Minute // of one utterance; longer ones gain nothing

// joinSentences joins utterances of one speaker until a sentence ends, so that their cues can be broken elsewhere. Words get times within their
// own cue.
func joinSentences(in []transcript.Utterance, l transcript.Language, pause time.Duration) []transcript.Utterance {
	var out []transcript.Utterance
	for len(in) > 0 {
		n := 1
		for n < len(in) && joins(in[0], in[n-1], in[n], l, pause) {
			n++
		}
		out = append(out, join(in[:n]))
		in = in[n:]
	}
	return out
}

// joins reports whether next continues the sentence of before, in an utterance that began with first.
func joins(first, before, next transcript.Utterance, l transcript.Language, pause time.Duration) bool {
	gap := next.Start - before.End
	return first.Speaker == next.Speaker && gap >= 0 && gap <= pause && next.End-first.Start <= maxJoined &&
		!sentenceEnds(before.Text, next.Text, l) && !isDialogue(next.Text)
}

// join returns one utterance with timed words.
func join(parts []transcript.Utterance) transcript.Utterance {
	u := parts[0]
	u.Words = nil
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i], u.End = p.Text, p.End
		u.Words = append(u.Words, timedWords(p)...)
	}
	u.Text = joinLines(texts)
	return u
}

// timedWords splits the text of an utterance at spaces and spreads the words over its time by their length.
func timedWords(u transcript.Utterance) []transcript.Word {
	texts := strings.Fields(u.Text)
	total, done := 0, 0
	for _, t := range texts {
		total += utf8.RuneCountInString(t) + 1
	}
	words := make([]transcript.Word, len(texts))
	at := func() time.Duration {
		return (u.Start + (u.End-u.Start)*time.Duration(done)/time.Duration(max(total, 1))).Round(time.Millisecond)
	}
	for i, t := range texts {
		words[i] = transcript.Word{Text: t, Speaker: u.Speaker, Confidence: 1, Start: at()}
		done += utf8.RuneCountInString(t) + 1
		words[i].End = at()
	}
	return words
}
