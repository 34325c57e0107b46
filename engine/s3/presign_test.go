package s3_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

func send(t *testing.T, a engine.Address, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), a.Method, a.URL, strings.NewReader(body))
	require.NoError(t, err)
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp, string(text)
}

// A browser only shows sound, pictures, and videos. It saves anything else, with the file name.
func TestPresignDisposition(t *testing.T) {
	t.Parallel()
	b := open(t, s3test.New(t), s3.Options{})
	store(t, b, "a", "content")
	for _, c := range []struct{ contentType, filename, want string }{
		{"", "", ""}, {"", "a.wav", "attachment; filename=a.wav"}, {"video/mp4", "", "inline"}, {"video/mp4", "a b.mp4", `inline; filename="a b.mp4"`},
		{"text/html", "", "attachment"}, {"image/svg+xml", "a.svg", "attachment; filename=a.svg"}, {"application/pdf", "", "attachment"},
	} {
		a, err := b.PresignGet(t.Context(), "a", engine.BlobGet{ContentType: c.contentType, Filename: c.filename, TTL: time.Minute})
		require.NoError(t, err)
		resp, text := send(t, a, "")
		require.Equal(t, "content", text)
		require.Equal(t, c.want, resp.Header.Get("Content-Disposition"), "%q %q", c.contentType, c.filename)
	}
}

// What S3 doesn't take in one request, or can't be a header, is refused before it is signed.
func TestPresignLimits(t *testing.T) {
	t.Parallel()
	b := open(t, s3test.New(t), s3.Options{})
	put := engine.BlobPut{Size: 5 << 30, ContentType: "audio/wav", TTL: time.Minute}
	_, err := b.PresignPut(t.Context(), "a", put)
	require.NoError(t, err)
	put.Size++
	_, err = b.PresignPut(t.Context(), "a", put)
	requireCode(t, engine.CodeTooLarge, err)
	put.Size, put.ContentType = 1, "audio/wav\nX-Amz-Acl: public-read"
	_, err = b.PresignPut(t.Context(), "a", put)
	requireCode(t, engine.CodeInvalid, err)
}

// A client can't give its bytes the SHA-256 of others by adding metadata to a signed request.
func TestPresignForged(t *testing.T) {
	t.Parallel()
	b := open(t, s3test.New(t), s3.Options{})
	a, err := b.PresignPut(t.Context(), "a", engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Minute})
	require.NoError(t, err)
	forged := "id=x&sha256=" + strings.Repeat("ab", 32) + "&stored=2026-01-02T03%3A04%3A05Z&type=audio%2Fwav"
	resp, _ := send(t, a, "content", "X-Amz-Meta-Soundstage", forged)
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
	_, err = b.Stat(t.Context(), "a")
	requireCode(t, engine.CodeNotFound, err)
}
