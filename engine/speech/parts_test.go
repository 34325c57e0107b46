package speech_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// tenSeconds is the limit of the servers of these tests.
var tenSeconds = speech.Limits{MaxDuration: 10 * time.Second}

// Audio is cut in the middle of a silence before the limit, or else at its quietest point with 1 s of overlap.
func TestCut(t *testing.T) {
	t.Parallel()
	loud := func(d time.Duration) pcm { return noise(d, 8000, 1) }
	for name, c := range map[string]struct {
		sound  pcm
		limits speech.Limits
		want   [][2]time.Duration // start and end of parts, in milliseconds
	}{
		"less than the limit":   {loud(9 * time.Second), tenSeconds, [][2]time.Duration{{0, 9000}}},
		"the limit":             {loud(10 * time.Second), tenSeconds, [][2]time.Duration{{0, 10000}}},
		"no limit":              {loud(15 * time.Second), speech.Limits{}, [][2]time.Duration{{0, 15000}}},
		"silence":               {sounds(loud(8*time.Second), silence(500*ms), loud(5*time.Second)), tenSeconds, [][2]time.Duration{{0, 8350}, {8350, 13500}}},
		"silence that is noise": {sounds(loud(8*time.Second), noise(300*ms, 500, 2), loud(5*time.Second)), tenSeconds, [][2]time.Duration{{0, 8150}, {8150, 13300}}},
		"silence too early":     {sounds(loud(5*time.Second), silence(500*ms), loud(6*time.Second), noise(1*time.Second, 4000, 3)), tenSeconds, nil},
		"softer, but not silent": {sounds(loud(8*time.Second), noise(300*ms, 4000, 2), loud(5*time.Second)), tenSeconds,
			[][2]time.Duration{{0, 8650}, {7650, 13300}}},
		"a limit of bytes": {sounds(loud(8*time.Second), silence(500*ms), loud(5*time.Second)), speech.Limits{MaxBytes: 44 + 320_000, MaxDuration: time.Hour},
			[][2]time.Duration{{0, 8350}, {8350, 13500}}},
		"several parts": {sounds(loud(9*time.Second), silence(400*ms), loud(8*time.Second), silence(400*ms), loud(3*time.Second)), tenSeconds,
			[][2]time.Duration{{0, 9250}, {9250, 17650}, {17650, 20800}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &says{}
			_, err := speech.Parts{Media: c.sound, Limits: c.limits}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key", s.send)
			require.NoError(t, err)
			var got [][2]time.Duration
			for i, p := range s.parts {
				require.Equal(t, i, p.Index)
				require.Equal(t, len(s.parts), p.Count)
				require.Len(t, s.files[i], int(p.Size()))
				require.Equal(t, []byte(c.sound[p.Start.Milliseconds()*32:(p.Start+p.Duration).Milliseconds()*32]), s.files[i][44:])
				require.EqualValues(t, len(s.files[i])-44, binary.LittleEndian.Uint32(s.files[i][40:]))
				if c.limits.MaxBytes > 0 {
					require.LessOrEqual(t, p.Size(), c.limits.MaxBytes)
				}
				if c.limits.MaxDuration > 0 {
					require.LessOrEqual(t, p.Duration, c.limits.MaxDuration)
				}
				got = append(got, [2]time.Duration{p.Start / ms, (p.Start + p.Duration) / ms})
			}
			if c.want != nil {
				require.Equal(t, c.want, got)
				return
			}
			require.Equal(t, 2, len(got))
			require.Equal(t, time.Duration(1000), got[0][1]-got[1][0], "the parts overlap instead of meeting long before the limit")
		})
	}
}

// A limit that is too small is raised to 4 s.
func TestTinyLimit(t *testing.T) {
	t.Parallel()
	s := &says{}
	_, err := speech.Parts{Media: noise(20*time.Second, 8000, 1), Limits: speech.Limits{MaxBytes: 1, MaxDuration: 1}, Concurrency: 3}.
		Transcribe(t.Context(), engine.TranscribeRequest{}, "key", s.send)
	require.NoError(t, err)
	require.Len(t, s.files, 8)
}

// A part without sound is not sent, and text for a silent section of a part is dropped.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, sound := range map[string]pcm{"none": nil, "silence": silence(25 * time.Second), "hardly anything": noise(25*time.Second, 15, 1)} {
		s := &says{}
		got, err := speech.Parts{Media: sound, Limits: tenSeconds}.Transcribe(t.Context(), engine.TranscribeRequest{Language: "de", Checkpoints: &notes{}}, "key", s.send)
		require.NoError(t, err, name)
		require.Equal(t, engine.Transcription{Language: "de"}, got, name)
		require.Empty(t, s.files, name)
	}
	half := sounds(noise(3*time.Second, 8000, 1), silence(4*time.Second))
	got, err := speech.Parts{Media: half}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key", func(context.Context, speech.Part) (speech.Result, error) {
		return speech.Result{Segments: []speech.Segment{
			{Text: "Hello.", Start: speech.At(0), End: speech.At(2 * time.Second)},
			{Text: "Slow.", Start: speech.At(3200 * ms), End: speech.At(3900 * ms)},
			{Text: "Thank you for watching!", Start: speech.At(4 * time.Second), End: speech.At(6 * time.Second)},
		}}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"Hello.", "Slow."}, texts(got.Words))
	require.Equal(t, transcript.DefaultLanguage, got.Language)
}

// A transcribed part is not sent again, even if others failed, and the words are the same.
func TestNotes(t *testing.T) {
	t.Parallel()
	sound := noise(60*time.Second, 8000, 1)
	parts := speech.Parts{Media: sound, Limits: tenSeconds, Concurrency: 2}
	all := &says{}
	whole, err := parts.Transcribe(t.Context(), engine.TranscribeRequest{}, "key", all.send)
	require.NoError(t, err)
	n := &notes{}
	req := engine.TranscribeRequest{Checkpoints: n}
	down := errors.New("down")
	first := &says{fail: func(ctx context.Context, p speech.Part) error {
		switch {
		case p.Index == 4:
			return down
		case p.Index > 4: // at most one starts before the other fails
			<-ctx.Done()
			return context.Cause(ctx)
		}
		return nil
	}}
	_, err = parts.Transcribe(t.Context(), req, "key", first.send)
	require.ErrorIs(t, err, down)
	kept := len(n.kept)
	require.GreaterOrEqual(t, kept, 3, "the parts before the failed one")
	require.LessOrEqual(t, len(first.files), 6, "the parts after it are not started")
	require.Len(t, all.files, 8)
	second := &says{}
	got, err := parts.Transcribe(t.Context(), req, "key", second.send)
	require.NoError(t, err)
	require.Equal(t, whole, got)
	require.Len(t, second.files, len(all.files)-kept)
	third := &says{}
	got, err = parts.Transcribe(t.Context(), req, "key", third.send)
	require.NoError(t, err)
	require.Equal(t, whole, got)
	require.Empty(t, third.files)
}

// A note is used only for the same audio, request, and server, and only if it is valid.
func TestNotesThatDontCount(t *testing.T) {
	t.Parallel()
	sound, other := noise(3*time.Second, 8000, 1), noise(3*time.Second, 8000, 2)
	for name, c := range map[string]struct {
		media  pcm
		req    engine.TranscribeRequest
		key    string
		damage func(name string, note []byte) []byte
		counts bool
	}{
		"the same":            {counts: true},
		"another sound":       {media: other},
		"another key":         {key: "other"},
		"another language":    {req: engine.TranscribeRequest{Language: "de"}},
		"another prompt":      {req: engine.TranscribeRequest{ContextPrompt: "x"}},
		"other words":         {req: engine.TranscribeRequest{BoostedWords: []string{"x"}}},
		"cut off":             {damage: func(_ string, b []byte) []byte { return b[:len(b)/2] }},
		"empty":               {damage: func(string, []byte) []byte { return []byte{} }},
		"null":                {damage: func(string, []byte) []byte { return []byte("null") }},
		"a list":              {damage: func(string, []byte) []byte { return []byte("[]") }},
		"an unknown language": {damage: func(string, []byte) []byte { return []byte(`{"language":"xx","words":[]}`) }},
		"words outside": {damage: func(string, []byte) []byte {
			return []byte(`{"words":[{"Text":"a","Start":0,"End":9000000000}]}`)
		}},
		"words backwards": {damage: func(string, []byte) []byte {
			return []byte(`{"words":[{"Text":"a","Start":1000000,"End":2000000},{"Text":"b","Start":0,"End":2000000}]}`)
		}},
		"empty words": {damage: func(string, []byte) []byte { return []byte(`{"words":[{"Text":"","Start":0,"End":1}]}`) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			_, err := speech.Parts{Media: sound}.Transcribe(t.Context(), engine.TranscribeRequest{Checkpoints: n}, "key", (&says{}).send)
			require.NoError(t, err)
			require.Len(t, n.kept, 1)
			for key, note := range n.kept {
				require.Regexp(t, `^[0-9a-z-]{1,100}$`, key)
				if c.damage != nil {
					n.kept[key] = c.damage(key, note)
				}
			}
			if c.media == nil {
				c.media = sound
			}
			if c.key == "" {
				c.key = "key"
			}
			c.req.Checkpoints = n
			s := &says{}
			got, err := speech.Parts{Media: c.media}.Transcribe(t.Context(), c.req, c.key, s.send)
			require.NoError(t, err)
			require.Equal(t, []string{"Word."}, texts(got.Words))
			require.Equal(t, c.counts, len(s.files) == 0)
		})
	}
}

// If notes can't be stored, the transcription still completes. If they can't be read, it doesn't start.
func TestNotesThatFail(t *testing.T) {
	t.Parallel()
	parts := speech.Parts{Media: noise(time.Second, 8000, 1)}
	got, err := parts.Transcribe(t.Context(), engine.TranscribeRequest{Checkpoints: &notes{full: true}}, "key", (&says{}).send)
	require.NoError(t, err)
	require.Len(t, got.Words, 1)
	s := &says{}
	_, err = parts.Transcribe(t.Context(), engine.TranscribeRequest{Checkpoints: &notes{dead: engine.Errorf(engine.CodeNoSpace, "", "Gone.")}}, "key", s.send)
	require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err))
	require.Empty(t, s.files)
}

// Without a requested language, the language is the one with the most time.
func TestLanguageOfParts(t *testing.T) {
	t.Parallel()
	parts := speech.Parts{Media: noise(40*time.Second, 8000, 1), Limits: tenSeconds}
	for _, c := range []struct {
		asked transcript.Language
		told  []transcript.Language
		want  transcript.Language
	}{
		{"", []transcript.Language{"fr", "de", "de", "", "xx"}, "de"},
		{"", []transcript.Language{"", "", "", "", "fr"}, "fr"},
		{"", []transcript.Language{"", "", "", "", ""}, "it"},
		{"ja", []transcript.Language{"fr", "de", "de", "de", "de"}, "ja"},
	} {
		got, err := parts.Transcribe(t.Context(), engine.TranscribeRequest{Language: c.asked, Info: engine.MediaInfo{Language: "ita"}}, "key",
			func(_ context.Context, p speech.Part) (speech.Result, error) {
				return speech.Result{Language: c.told[p.Index], Segments: []speech.Segment{{Text: "Hm.", Start: speech.At(0), End: speech.At(time.Second)}}}, nil
			})
		require.NoError(t, err)
		require.Equal(t, c.want, got.Language)
	}
}

// Speakers are returned for a single part. Those of several parts can't be matched, and are omitted.
func TestSpeakersOfParts(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[time.Duration]string{5: "Speaker 0", 15: ""} {
		got, err := speech.Parts{Media: noise(seconds*time.Second, 8000, 1), Limits: tenSeconds}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key",
			func(context.Context, speech.Part) (speech.Result, error) {
				return speech.Result{Segments: []speech.Segment{{Speaker: "A", Text: "Hm.", Start: speech.At(0), End: speech.At(time.Second)}}}, nil
			})
		require.NoError(t, err)
		require.Equal(t, want, got.Words[0].Speaker)
	}
}

// If words end after the probed duration, the result has the decoded duration.
func TestLongerThanProbed(t *testing.T) {
	t.Parallel()
	parts := speech.Parts{Media: noise(3*time.Second, 8000, 1)}
	for probed, want := range map[time.Duration]time.Duration{0: 0, time.Second: 3 * time.Second, 3 * time.Second: 0} {
		got, err := parts.Transcribe(t.Context(), engine.TranscribeRequest{Info: engine.MediaInfo{Duration: probed}}, "key", (&says{}).send)
		require.NoError(t, err)
		require.Equal(t, want, got.Duration)
	}
}

// failing is media whose decoding fails.
type failing struct {
	pcm
	decode, read, close error
}

func (f failing) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	if f.decode != nil {
		return nil, f.decode
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(readerOf(f.pcm), brokenReader{f.read}), closer{f.close}}, nil
}

// Errors of the media, of send, and of the context are returned unchanged, and no temporary file is left.
func TestErrors(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder)
	broken := engine.Errorf(engine.CodeBadMedia, "Decode", "Broken.")
	sound := noise(30*time.Second, 8000, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	for name, c := range map[string]struct {
		parts speech.Parts
		send  speech.Send
		ctx   context.Context
		want  engine.Code
	}{
		"no decoder":              {parts: speech.Parts{}, want: engine.CodeUnavailable},
		"nothing can be decoded":  {parts: speech.Parts{Media: failing{decode: broken}}, want: engine.CodeBadMedia},
		"the stream is aborted":   {parts: speech.Parts{Media: failing{pcm: sound, read: broken}}, want: engine.CodeBadMedia},
		"the decoder fails later": {parts: speech.Parts{Media: failing{pcm: sound, read: io.EOF, close: broken}}, want: engine.CodeBadMedia},
		"sending fails": {parts: speech.Parts{Media: sound, Limits: tenSeconds}, want: engine.CodeUnavailable,
			send: func(ctx context.Context, p speech.Part) (speech.Result, error) {
				return speech.Result{}, engine.Errorf(engine.CodeUnavailable, "", "Part %d.", p.Index)
			}},
		"the context ends while it is sent": {parts: speech.Parts{Media: sound, Limits: tenSeconds, Concurrency: 2}, ctx: ctx, want: engine.CodeCanceled,
			send: func(ctx context.Context, _ speech.Part) (speech.Result, error) {
				cancel(errors.New("shutdown"))
				<-ctx.Done()
				return speech.Result{}, ctx.Err()
			}},
	} {
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		if c.send == nil {
			c.send = (&says{}).send
		}
		got, err := c.parts.Transcribe(c.ctx, engine.TranscribeRequest{}, "key", c.send)
		require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
		require.Empty(t, got.Words, name)
		left, err := filepath.Glob(filepath.Join(folder, "*"))
		require.NoError(t, err)
		require.Empty(t, left, name)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "none"))
	t.Setenv("TMP", filepath.Join(folder, "none"))
	_, err := os.CreateTemp("", "x")
	require.Error(t, err)
	_, err = speech.Parts{Media: sound}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key", (&says{}).send)
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err), "%v", err)
}

// Parts are limited by Concurrency. Progress goes from 0 to 1 and never falls, in whatever order they finish.
func TestConcurrencyAndProgress(t *testing.T) {
	t.Parallel()
	for _, most := range []int{0, 1, 3} {
		busy, gate := make(chan struct{}, max(most, 1)), make(chan struct{})
		close(gate)
		last := -1.0
		_, err := speech.Parts{Media: noise(60*time.Second, 8000, 1), Limits: tenSeconds, Concurrency: most}.Transcribe(t.Context(),
			engine.TranscribeRequest{Info: engine.MediaInfo{Duration: time.Minute}, Progress: func(done float64) {
				require.True(t, done >= last && done <= 1, "%v after %v", done, last)
				last = done
			}}, "key", func(_ context.Context, p speech.Part) (speech.Result, error) {
				select {
				case busy <- struct{}{}:
				default:
					return speech.Result{}, fmt.Errorf("part %d exceeds the concurrency", p.Index)
				}
				<-gate
				<-busy
				return speech.Result{}, nil
			})
		require.NoError(t, err)
		require.Equal(t, 1.0, last)
	}
}
