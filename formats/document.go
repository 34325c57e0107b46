package formats

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// document is the content of a format that people read.
type document struct {
	script
	word     documentWords // in the language of the transcript
	timed    bool          // paragraphs have words
	source   string
	created  time.Time
	summary  []string  // paragraphs
	chapters []Chapter // sorted by start, with titles
}

// prepareDocument normalises a transcript and its options for a document.
func prepareDocument(t transcript.Transcript, o Options) document { return prepareTimed(t, o, false) }

// prepareTimed is prepareDocument, and if timed is set, paragraphs have the words of their text with times. An utterance whose words are not
// those of its text is one word.
func prepareTimed(t transcript.Transcript, o Options, timed bool) document {
	d := document{timed: timed, word: documentWordsOf(t.Language), source: captions.CleanText(o.Source), created: o.Created}
	o.Names = countFromOne(t, o.Names, d.word.speaker)
	d.script = prepareScript(t, o, timed || hasLong(t) || len(o.Chapters) > 0)
	for p := range strings.SplitSeq(o.Summary, "\n") {
		if p = captions.CleanText(p); p != "" {
			d.summary = append(d.summary, p)
		}
	}
	for _, c := range o.Chapters {
		c.Start = min(max(c.Start.Round(time.Millisecond), 0), captions.MaxTime)
		c.Title, c.Summary = cmp.Or(captions.CleanText(c.Title), clock(c.Start)), captions.CleanText(c.Summary)
		d.chapters = append(d.chapters, c)
	}
	slices.SortStableFunc(d.chapters, byStart)
	return d
}

// DocumentNames returns names with those that documents show for other labels: "Speaker 0" becomes "Speaker 1" in the transcript's language.
// Labels that begin at 1, as other tools write them, keep their numbers.
func DocumentNames(t transcript.Transcript, names map[string]string) map[string]string {
	return countFromOne(t, names, documentWordsOf(t.Language).speaker)
}

func countFromOne(t transcript.Transcript, names map[string]string, speaker string) map[string]string {
	labels := t.Labels()
	first := 1
	for _, l := range labels {
		if l == transcript.SpeakerLabel(0) {
			first = 0
		}
	}
	all := map[string]string{}
	for _, l := range labels {
		number, ok := strings.CutPrefix(l, "Speaker ")
		n, err := strconv.Atoi(number)
		if ok && err == nil && n >= 0 && number == strconv.Itoa(n) {
			all[l] = speaker + " " + strconv.Itoa(n+1-first)
		}
	}
	maps.Copy(all, names)
	return all
}

// headline returns the title of a document. It is never empty.
func (d document) headline() string {
	if d.title == "" {
		return d.word.transcript
	}
	return d.title
}

// headerLine is a line below the title of a document.
type headerLine struct {
	label, text string
	link        string // address that the text links to, or ""
}

const maxSpeakers = 12 // most names in the header

// header returns the lines below the title: date, source, duration, and speakers, as far as they are known.
func (d document) header() []headerLine {
	var lines []headerLine
	if !d.created.IsZero() {
		lines = append(lines, headerLine{label: d.word.date, text: d.created.UTC().Format(time.DateOnly)})
	}
	if d.source != "" {
		lines = append(lines, headerLine{d.word.source, d.source, linkOf(d.source)})
	}
	if length := d.length(); length > 0 {
		lines = append(lines, headerLine{label: d.word.duration, text: clock(length.Round(time.Second))})
	}
	if names := d.speakers(); len(names) > 0 {
		list := strings.Join(names[:min(len(names), maxSpeakers)], ", ")
		if len(names) > maxSpeakers {
			list += ", …"
		}
		lines = append(lines, headerLine{label: d.word.speakers, text: list})
	}
	return lines
}

// linkOf returns the address if it is one that a document may link to: http or https.
func linkOf(address string) string {
	for _, scheme := range []string{"http://", "https://"} {
		if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) && !strings.ContainsAny(address, " <>\"") {
			return address
		}
	}
	return ""
}
