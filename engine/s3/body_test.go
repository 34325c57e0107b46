package s3

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// slowWriter is a transport that answers before it has read the body, and reads on later, as http.Transport may.
type slowWriter struct{ rest chan io.Reader }

func (s slowWriter) RoundTrip(req *http.Request) (*http.Response, error) {
	_, err := io.ReadFull(req.Body, make([]byte, 3))
	s.rest <- req.Body
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody}, err
}

// After the answer, the body can be sent again: nothing of the first request takes bytes of it.
func TestBodyAfterAnswer(t *testing.T) {
	t.Parallel()
	s := slowWriter{make(chan io.Reader, 1)}
	content := bytes.NewReader([]byte("content"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://store.invalid/a", content)
	require.NoError(t, err)
	response, err := loaned{s}.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	n, err := (<-s.rest).Read(make([]byte, 10))
	require.Zero(t, n)
	require.ErrorIs(t, err, errEnded)
	require.Equal(t, len("tent"), content.Len())
}
