package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// chaptersFile is the JSON that the <podcast:chapters> tag of a feed links to (podcast namespace, JSON Chapters Format 1.2).
type chaptersFile struct {
	Version  string        `json:"version"`
	Title    string        `json:"title,omitempty"`
	FileName string        `json:"fileName,omitempty"`
	Chapters []chapterMark `json:"chapters"` // never null
}

type chapterMark struct {
	Start jsonSeconds  `json:"startTime"`
	Title string       `json:"title,omitempty"`
	Image string       `json:"img,omitempty"`
	Link  string       `json:"url,omitempty"`
	End   *jsonSeconds `json:"endTime,omitempty"`
}

// WriteChapters writes Options.Chapters as the JSON of Podcasting 2.0. A chapter ends where the next one begins, and the last one with the
// media. Images and links that aren't http or https addresses are left out. Without chapters, the list is empty.
func WriteChapters(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareText(t, o)
	file := chaptersFile{Version: "1.2.0", Title: s.title, FileName: mediaName(cmp.Or(o.Media, o.Source)), Chapters: []chapterMark{}}
	chapters := sortedChapters(o)
	for i, c := range chapters {
		end := s.length()
		if i+1 < len(chapters) {
			end = chapters[i+1].Start
		}
		mark := chapterMark{Start: jsonSeconds(c.Start), Title: c.Title, Image: linkOf(c.Image), Link: linkOf(c.Link)}
		if end > c.Start {
			mark.End = (*jsonSeconds)(&end)
		}
		file.Chapters = append(file.Chapters, mark)
	}
	return writeJSON(w, file)
}

// sortedChapters returns the chapters in order of their start, with clean texts and times in whole milliseconds from 0.
func sortedChapters(o Options) []Chapter {
	chapters := slices.Clone(o.Chapters)
	for i, c := range chapters {
		start := min(max(c.Start, 0), captions.MaxTime).Round(time.Millisecond)
		chapters[i] = Chapter{
			Start: start, Title: captions.CleanText(c.Title), Summary: captions.CleanText(c.Summary),
			Image: captions.CleanText(c.Image), Link: captions.CleanText(c.Link),
		}
	}
	slices.SortStableFunc(chapters, func(a, b Chapter) int { return cmp.Compare(a.Start, b.Start) })
	return chapters
}

// mediaName returns the file name in a path or address.
func mediaName(address string) string {
	name := captions.CleanText(address)
	if linkOf(name) != "" {
		name, _, _ = strings.Cut(name, "?")
		name, _, _ = strings.Cut(name, "#")
	}
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// jsonSeconds is a time that JSON has in seconds, with at most three decimals.
type jsonSeconds time.Duration

// MarshalJSON implements json.Marshaler.
func (d jsonSeconds) MarshalJSON() ([]byte, error) {
	ms := time.Duration(d).Milliseconds()
	if ms%1000 == 0 {
		return strconv.AppendInt(nil, ms/1000, 10), nil
	}
	return strconv.AppendFloat(nil, float64(ms)/1000, 'f', -1, 64), nil
}

// writeJSON writes a value as indented JSON and a line feed.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return writeFile(w, &b)
}
