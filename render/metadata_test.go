package render_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// about is what a file says about itself.
type about struct {
	Streams []struct {
		Type        string            `json:"codec_type"`
		Width       int               `json:"width"`
		Tags        map[string]string `json:"tags"`
		Disposition map[string]int    `json:"disposition"`
	} `json:"streams"`
	Chapters []struct {
		Start string            `json:"start_time"`
		End   string            `json:"end_time"`
		Tags  map[string]string `json:"tags"`
	} `json:"chapters"`
	Format struct {
		Tags map[string]string `json:"tags"`
	} `json:"format"`
}

func aboutOf(tb testing.TB, file string) (a about) {
	tb.Helper()
	b, err := exec.Command("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", "-show_chapters", file).Output()
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(b, &a))
	return a
}

// language returns the language of the sound, and covers the sizes of attached pictures.
func (a about) language() (code string, covers []int) {
	for _, s := range a.Streams {
		if s.Type == "audio" {
			code = s.Tags["language"]
		}
		if s.Disposition["attached_pic"] > 0 {
			covers = append(covers, s.Width)
		}
	}
	return code, covers
}

func (a about) chapters() (all []string) {
	for _, c := range a.Chapters {
		all = append(all, strings.TrimSuffix(c.Start, "000")+" "+strings.TrimSuffix(c.End, "000")+" "+c.Tags["title"])
	}
	return all
}

// renderedAs renders 3 s into a file with a name.
func renderedAs(tb testing.TB, name string, media engine.Source, r render.Request) (about, render.Result) {
	tb.Helper()
	r.Window, r.ShortSide = window(1000, 4000), 144
	out := filepath.Join(tb.TempDir(), name)
	result, err := renderer.Render(context.Background(), media, r, out, nil)
	require.NoError(tb, err)
	return aboutOf(tb, out), result
}

// A file carries its title, the language of the sound, the chapters of its window, and the cover, as far as its container holds them. They
// survive characters that have a meaning for ffmpeg.
func TestMetadata(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	chapters := []render.Chapter{
		{Start: 2500 * time.Millisecond, Title: "二つ; a=b #\\ [CHAPTER]\ntitle=x"}, {Start: 0, Title: "Before"}, {Start: 500 * time.Millisecond, Title: "One"},
		{Start: 3900 * time.Millisecond, Title: "Too late"}, {Start: time.Minute, Title: "Outside"},
	}
	covered := film(t, "covered.mp3", "-i", shared("conversation.mp3"), "-i", shared("cover.mp3"), "-map", "0:a", "-map", "1:v", "-c", "copy", "-disposition:v", "attached_pic", "-t", "8")
	const title = "Wie = zwei Menschen; 👋"
	both := []string{"0.000 1.500 One", "1.500 3.000 二つ; a=b #\\ [CHAPTER] title=x"}
	for name, want := range map[string]struct {
		language string
		covers   []int
		title    string
		chapters []string
	}{
		"a.mp4": {"deu", []int{200}, title, both}, "a.mov": {"ger", nil, title, both}, "a.webm": {"ger", nil, title, both}, "a.gif": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, result := renderedAs(t, name, covered, render.Request{Title: "Wie = zwei\nMenschen; 👋", MediaTitle: "Not this", Language: "de", Chapters: chapters})
			require.True(t, result.Audiogram)
			require.Equal(t, want.title, got.Format.Tags["title"])
			code, covers := got.language()
			require.Equal(t, want.language, code)
			require.Equal(t, want.covers, covers)
			require.Equal(t, want.chapters, got.chapters())
		})
	}
}

// Without a title, chapters, or a language, a file has none: nothing comes from the media's tags, except its chapters.
func TestMetadataOfMedia(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	got, _ := renderedAs(t, "a.mp4", localFile(shared("conversation.mp4")), render.Request{})
	code, covers := got.language()
	require.Equal(t, []any{"und", "", 0, 0}, []any{code, got.Format.Tags["title"], len(covers), len(got.Chapters)})

	list := filepath.Join(t.TempDir(), "list")
	require.NoError(t, os.WriteFile(list, []byte(";FFMETADATA1\ntitle=Secret\nlocation=+52-13/\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=2\ntitle=One\n"+
		"[CHAPTER]\nTIMEBASE=1/1\nSTART=2\nEND=3\ntitle=Two\n[CHAPTER]\nTIMEBASE=1/1\nSTART=3\nEND=12\n"), 0o600))
	media := film(t, "chapters.mp4", "-i", shared("conversation.mp4"), "-i", list, "-map", "0", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy")
	got, _ = renderedAs(t, "a.mp4", media, render.Request{MediaTitle: "A recording", Language: "en"})
	require.Equal(t, []string{"0.000 1.000 One", "1.000 3.000 Two"}, got.chapters())
	require.Equal(t, "A recording", got.Format.Tags["title"])
	require.NotContains(t, got.Format.Tags, "location")
	got, _ = renderedAs(t, "a.mp4", media, render.Request{Chapters: []render.Chapter{}})
	require.Empty(t, got.Chapters)
	require.NotContains(t, got.Format.Tags, "title")
	// What is before the first chapter is one, too: players would move the first one to the start.
	got, _ = renderedAs(t, "a.mp4", media, render.Request{Title: "T", Chapters: []render.Chapter{{Start: 2500 * time.Millisecond}}})
	require.Equal(t, []string{"0.000 1.500 T", "1.500 3.000 1"}, got.chapters())
	code, _ = got.language()
	require.Equal(t, "und", code)
}

// Every language has a code that each container keeps.
func TestMetadataLanguages(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ara", render.LanguageCode(render.MP4, "ar-EG"))
	require.Empty(t, render.LanguageCode(render.MP4, "x-private"))
	slow.Short(t, "it runs ffmpeg")
	slow.Skip(t, "it runs ffmpeg")
	needFFmpeg(t)
	for container, codec := range map[render.Container]string{render.MP4: "aac", render.MOV: "aac", render.WebM: "libopus"} {
		args := []string{"-f", "lavfi", "-i", "anullsrc", "-t", "0.1"}
		path := filepath.Join(t.TempDir(), "all."+string(container))
		var want []string
		for i, language := range transcript.Languages() {
			code := render.LanguageCode(container, language)
			args = append(args, "-map", "0:a", "-metadata:s:a:"+strconv.Itoa(i), "language="+code)
			want = append(want, code)
		}
		runFFmpeg(t, append(args, "-c:a", codec, path)...)
		var got []string
		for _, s := range aboutOf(t, path).Streams {
			got = append(got, s.Tags["language"])
		}
		require.Equal(t, want, got, container)
	}
}

// A style's background picture is the cover of media without one, and large pictures shrink.
func TestMetadataCoverOfStyle(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	style := render.DefaultStyle()
	style.Background.Kind, style.Background.Data = "picture", pngOf(t, 2000, 1000)
	got, _ := renderedAs(t, "a.mp4", localFile(shared("conversation.mp4")), render.Request{Look: &style})
	_, covers := got.language()
	require.Equal(t, []int{1000}, covers)
}
