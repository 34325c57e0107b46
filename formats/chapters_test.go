package formats_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// chapterCases are chapters and the marks that the file must have, without version and title.
var chapterCases = []struct {
	name     string
	chapters []formats.Chapter
	media    string
	want     string
}{
	{"none", nil, "", `"chapters":[]`},
	{"the last one ends with the media", []formats.Chapter{{Title: "Intro"}, {Start: 90500 * time.Millisecond, Title: "Talk"}}, "",
		`"chapters":[{"startTime":0,"title":"Intro","endTime":90.5},{"startTime":90.5,"title":"Talk","endTime":120}]`},
	{"unsorted and negative", []formats.Chapter{{Start: time.Minute, Title: "B"}, {Start: -time.Second, Title: "A"}}, "",
		`"chapters":[{"startTime":0,"title":"A","endTime":60},{"startTime":60,"title":"B","endTime":120}]`},
	{"behind the end", []formats.Chapter{{Start: 3 * time.Minute, Title: "Extra"}}, "", `"chapters":[{"startTime":180,"title":"Extra"}]`},
	{"at the same time", []formats.Chapter{{Title: "A"}, {Title: "B"}}, "", `"chapters":[{"startTime":0,"title":"A"},{"startTime":0,"title":"B","endTime":120}]`},
	{"picture and page", []formats.Chapter{{Title: "A", Image: "https://a.example/a.jpg", Link: "http://a.example/?q=1&r=2"}}, "",
		`"chapters":[{"startTime":0,"title":"A","img":"https://a.example/a.jpg","url":"http://a.example/?q=1&r=2","endTime":120}]`},
	{"addresses that players must not open", []formats.Chapter{{Title: "A", Image: "file:///etc/passwd", Link: "javascript:alert(1)"}}, "",
		`"chapters":[{"startTime":0,"title":"A","endTime":120}]`},
	{"text that isn't clean", []formats.Chapter{{Title: "a\x00\nb \"c\" \u2028 \xff <d>"}}, "", `"chapters":[{"startTime":0,"title":"a b \"c\" ` + "\ufffd" + ` <d>","endTime":120}]`},
	{"right to left", []formats.Chapter{{Title: "שלום"}}, "", `"chapters":[{"startTime":0,"title":"שלום","endTime":120}]`},
	{"a media file", nil, `C:\talks\talk.mp3`, `"fileName":"talk.mp3","chapters":[]`},
	{"a media address", nil, "https://a.example/talks/talk.mp3?token=a/b#t=1", `"fileName":"talk.mp3","chapters":[]`},
}

// The file has the marks of the specification, in order, with times in seconds.
func TestChapters(t *testing.T) {
	t.Parallel()
	for _, c := range chapterCases {
		out := write(t, "chapters", transcript.Transcript{Duration: 2 * time.Minute}, formats.Options{Chapters: c.chapters, Media: c.media})
		require.JSONEq(t, `{"version":"1.2.0",`+c.want+`}`, string(out), c.name)
		require.True(t, strings.HasSuffix(string(out), "}\n"))
	}
}

// The caller's chapters aren't changed.
func TestChaptersKeepsOptions(t *testing.T) {
	t.Parallel()
	o := formats.Options{Chapters: []formats.Chapter{{Start: time.Minute, Title: " b "}, {Title: "a"}}}
	write(t, "chapters", transcript.Transcript{}, o)
	require.Equal(t, []formats.Chapter{{Start: time.Minute, Title: " b "}, {Title: "a"}}, o.Chapters)
}

// ParseChapters reads back what was written, with pictures and pages.
func TestChaptersRoundTrip(t *testing.T) {
	t.Parallel()
	want := []formats.Chapter{
		{Title: "Intro \"1\"", Image: "https://a.example/a.jpg", Link: "http://a.example/?q=1&r=2"}, {Start: 90500 * time.Millisecond, Title: "章"},
	}
	got, err := formats.ParseChapters(bytes.NewReader(write(t, "chapters", transcript.Transcript{Duration: 2 * time.Minute}, formats.Options{Chapters: want})))
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = formats.ParseChapters(strings.NewReader(`{"chapters": [{"startTime": 0, "title": "a", "img": "file:///x", "url": "javascript:x"}]}`))
	require.NoError(t, err)
	require.Equal(t, []formats.Chapter{{Title: "a"}}, got)
}

func ExampleWriteChapters() {
	_ = formats.WriteChapters(os.Stdout, transcript.Transcript{Duration: time.Minute}, formats.Options{
		Chapters: []formats.Chapter{{Title: "Hello"}, {Start: 12500 * time.Millisecond, Title: "The news"}},
	})
	// Output:
	// {
	//   "version": "1.2.0",
	//   "chapters": [
	//     {
	//       "startTime": 0,
	//       "title": "Hello",
	//       "endTime": 12.5
	//     },
	//     {
	//       "startTime": 12.5,
	//       "title": "The news",
	//       "endTime": 60
	//     }
	//   ]
	// }
}

// Any chapters give valid JSON with starts that never decrease.
func FuzzChapters(f *testing.F) {
	for _, c := range chapterCases {
		for _, m := range c.chapters {
			f.Add(m.Title, m.Image, int64(m.Start), c.media)
		}
	}
	f.Add("", "", int64(-1)<<63, "")
	f.Add("", "", int64(1)<<62, "/")
	f.Fuzz(func(t *testing.T, title, link string, start int64, media string) {
		o := formats.Options{Title: title, Media: media, Chapters: []formats.Chapter{{Start: time.Duration(start), Title: title, Image: link, Link: link}, {Start: time.Second}}}
		var got struct {
			Chapters []struct{ StartTime, EndTime float64 }
		}
		require.NoError(t, json.Unmarshal(write(t, "chapters", transcript.Transcript{Duration: time.Minute}, o), &got))
		require.Len(t, got.Chapters, 2)
		require.LessOrEqual(t, got.Chapters[0].StartTime, got.Chapters[1].StartTime)
		require.GreaterOrEqual(t, got.Chapters[0].StartTime, 0.0)
	})
}
