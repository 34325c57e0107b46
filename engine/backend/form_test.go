package backend_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// audio returns a form file with these bytes.
func audio(b []byte) backend.File {
	return backend.File{Field: "file", Name: "audio.wav", Type: "audio/wav", Size: int64(len(b)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b)), nil
	}}
}

// mime/multipart reads back any fields and file, twice, and the body has exactly the announced size.
func TestForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var fields []backend.Field
		for range rapid.IntRange(0, 4).Draw(t, "fields") {
			fields = append(fields, backend.Field{
				Name:  rapid.StringMatching(`[a-z_]{1,8}(\[\])?`).Draw(t, "name"),
				Value: rapid.String().Draw(t, "value"),
			})
		}
		file := audio(rapid.SliceOfN(rapid.Byte(), 0, 500).Draw(t, "bytes"))
		file.Name = rapid.StringMatching(`[a-zA-Zäß "\\]{1,12}\.wav`).Draw(t, "file name")
		body, err := backend.Form(fields, file)
		require.NoError(t, err)
		first, second := readBody(t, body), readBody(t, body)
		require.Equal(t, first, second)
		require.Len(t, first, int(body.Size))

		_, params, err := mime.ParseMediaType(body.Type)
		require.NoError(t, err)
		r := multipart.NewReader(bytes.NewReader(first), params["boundary"])
		for _, f := range fields {
			p, err := r.NextPart()
			require.NoError(t, err)
			value, err := io.ReadAll(p)
			require.NoError(t, err)
			require.Equal(t, f, backend.Field{Name: p.FormName(), Value: string(value)})
			require.Empty(t, p.FileName())
		}
		p, err := r.NextPart()
		require.NoError(t, err)
		require.Equal(t, []string{"file", file.Name, "audio/wav"}, []string{p.FormName(), p.FileName(), p.Header.Get("Content-Type")})
		sent, err := io.ReadAll(p)
		require.NoError(t, err)
		in, err := file.Open()
		require.NoError(t, err)
		want, err := io.ReadAll(in)
		require.NoError(t, err)
		require.Equal(t, want, sent)
		_, err = r.NextPart()
		require.Equal(t, io.EOF, err)
	})
}

func readBody(t require.TestingT, b *backend.Body) []byte {
	in, err := b.Open()
	require.NoError(t, err)
	all, err := io.ReadAll(in)
	require.NoError(t, err)
	require.NoError(t, in.Close())
	return all
}

// Equal forms have equal bytes, different fields have different boundaries, and a name can't inject a header.
func TestFormBoundary(t *testing.T) {
	t.Parallel()
	form := func(name, value, file string) *backend.Body {
		f := audio([]byte("RIFF"))
		f.Name = file
		b, err := backend.Form([]backend.Field{{Name: name, Value: value}}, f)
		require.NoError(t, err)
		return b
	}
	require.Equal(t, readBody(t, form("model", "a", "a.wav")), readBody(t, form("model", "a", "a.wav")))
	require.NotEqual(t, form("model", "a", "a.wav").Type, form("model", "b", "a.wav").Type)
	require.NotEqual(t, form("mode", "la", "a.wav").Type, form("model", "a", "a.wav").Type)
	sent := string(readBody(t, form("model", "a", "a\r\nX-Evil: 1\"\r\n\r\n.wav")))
	require.NotContains(t, sent, "\nX-Evil")
}

// endless is an endless file that counts the bytes read from it.
type endless struct{ read, open *int64 }

func (e endless) Read(b []byte) (int, error) { clear(b); *e.read += int64(len(b)); return len(b), nil }
func (e endless) Close() error               { *e.open--; return nil }

// Form streams the file, reads only what is sent, and closes it.
func TestFormStreams(t *testing.T) {
	t.Parallel()
	const size, sent = 1 << 50, 1 << 20
	var read, open int64
	body, err := backend.Form([]backend.Field{{Name: "model", Value: "m"}}, backend.File{
		Field: "file", Name: "a.wav", Type: "audio/wav", Size: size,
		Open: func() (io.ReadCloser, error) { open++; return endless{&read, &open}, nil },
	})
	require.NoError(t, err)
	require.Greater(t, body.Size, int64(size))
	require.Zero(t, open)
	c := client(t, "http://host", func(c *backend.Config) {
		c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			require.EqualValues(t, 1, open)
			require.Zero(t, read)
			_, err := io.CopyN(io.Discard, r.Body, sent)
			require.NoError(t, err)
			require.NoError(t, r.Body.Close())
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})
	})
	_, err = c.Do(t.Context(), backend.Request{Path: "/x", Body: body})
	require.NoError(t, err)
	require.LessOrEqual(t, read, int64(sent))
	require.Positive(t, read)
	require.Zero(t, open)
}

// After a failure, a form is sent again with the same bytes.
func TestFormSentAnew(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.Break(backendtest.Status(500, "", "{}"), nil)
	noise := make([]byte, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	body, err := backend.Form([]backend.Field{{Name: "model", Value: "m"}}, audio(noise))
	require.NoError(t, err)
	c := client(t, s.URL)
	_, err = c.Do(t.Context(), backend.Request{Path: "/x", Body: body})
	require.True(t, failed(t, err).Retryable)
	_, err = c.Do(t.Context(), backend.Request{Path: "/x", Body: body})
	require.NoError(t, err)
	requests := s.Requests()
	require.Len(t, requests, 2)
	require.Equal(t, requests[0].Body, requests[1].Body)
	require.True(t, bytes.Contains(requests[0].Body, noise))
	require.True(t, strings.HasPrefix(requests[0].Header.Get("Content-Type"), "multipart/form-data; boundary=soundstage-"))

	gone := errors.New("gone")
	broken := audio(nil)
	broken.Open = func() (io.ReadCloser, error) { return nil, gone }
	body, err = backend.Form(nil, broken)
	require.NoError(t, err)
	_, err = body.Open()
	require.ErrorIs(t, err, gone)
}
