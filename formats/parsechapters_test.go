package formats_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats"
)

const minute = time.Minute

var chapterFiles = []struct {
	in   string
	want []formats.Chapter
	says string // of the error
}{
	{in: "00:00 Welcome\n1:02:30 Questions\n", want: []formats.Chapter{{Title: "Welcome"}, {Start: 62*minute + 30*time.Second, Title: "Questions"}}},
	{in: "\ufeff\r\n- 0:40 Who \\*taught\\* you?\r\n* [75:30.25] – 3 rules\r\n(00:00) Start", want: []formats.Chapter{
		{Title: "Start"}, {Start: 40 * time.Second, Title: "Who *taught* you?"}, {Start: 75*minute + 30250*time.Millisecond, Title: "3 rules"}}},
	{in: "00:01 a\x00b\n00:02: c -- d", want: []formats.Chapter{{Start: time.Second, Title: "ab"}, {Start: 2 * time.Second, Title: "c -- d"}}},
	{in: ` {"version": "1.2.0", "chapters": [{"startTime": 168.5, "title": "Two"}, {"startTime": 0, "title": "One", "img": "x"}, {"startTime": 9, "toc": false}, {"startTime": 200}]}`,
		want: []formats.Chapter{{Title: "One"}, {Start: 168500 * time.Millisecond, Title: "Two"}, {Start: 200 * time.Second}}},
	{in: "", says: "The file has no chapters."},
	{in: "{}", says: "The file has no chapters."},
	{in: "00:00 a\nHere they are:", says: "line 2: expected a time and a title."},
	{in: "00:00", says: "line 1: expected a time and a title."},
	{in: "00:00Welcome", says: "line 1: expected a time and a title."},
	{in: "0:61:00 a", says: "line 1: minutes and seconds must be at most 59."},
	{in: "0:99 a", says: "line 1: minutes and seconds must be at most 59."},
	{in: "10000:00:00 a", says: "line 1: times must be less than 10,000 hours."},
	{in: `{"chapters": [{"startTime": 1}, {"title": "x"}]}`, says: "Chapter 2 has no startTime."},
	{in: `{"chapters": [{"startTime": -1}]}`, says: "The startTime of chapter 1 must be at least 0 and less than 10,000 hours (got -1)."},
	{in: `{"chapters": [{"startTime": 1e300}]}`, says: "The startTime of chapter 1 must be at least 0 and less than 10,000 hours (got 1e+300)."},
	{in: "{\"chapters\": [\n{\"startTime\": \"1\"}]}", says: "line 2, column 17: chapters.startTime can't be a string."},
	{in: `{"chapters": [`, says: "line 1, column 14: invalid JSON: unexpected end of JSON input."},
}

// Chapters are read from lines and from JSON. An error has the line or the number of the chapter.
func TestParseChapters(t *testing.T) {
	t.Parallel()
	for _, c := range chapterFiles {
		got, err := formats.ParseChapters(strings.NewReader(c.in))
		require.Equal(t, c.want, got, c.in)
		if c.says != "" {
			require.Equal(t, c.says, fault.Message(err), c.in)
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		}
	}
	for _, big := range []string{strings.Repeat("0:00 a\n", 10_001), strings.Repeat(" ", 4<<20+1)} {
		_, err := formats.ParseChapters(strings.NewReader(big))
		require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	}
}

// Any file of chapters is refused or gives sorted chapters with valid times.
func FuzzParseChapters(f *testing.F) {
	for _, c := range chapterFiles {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		chapters, err := formats.ParseChapters(bytes.NewReader(in))
		if err != nil {
			require.Contains(t, []fault.Code{fault.CodeInvalid, fault.CodeTooLarge}, fault.CodeOf(err))
			return
		}
		require.True(t, slices.IsSortedFunc(chapters, func(a, b formats.Chapter) int { return int(a.Start - b.Start) }))
		for _, c := range chapters {
			require.True(t, c.Start >= 0 && c.Start < captions.MaxTime+time.Second, c.Start)
			require.Equal(t, captions.CleanText(c.Title), c.Title)
		}
	})
}

func ExampleParseChapters() {
	chapters, err := formats.ParseChapters(strings.NewReader("00:00 Welcome\n12:30 Questions\n"))
	fmt.Println(chapters[1].Start, chapters[1].Title, err)
	// Output:
	// 12m30s Questions <nil>
}
