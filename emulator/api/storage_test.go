package api

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// deadlines records the last deadline.
type deadlines struct{ last time.Time }

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.last = t
	return nil
}

// trickle returns n bytes after each pause.
type trickle struct {
	n     int
	pause time.Duration
}

func (t trickle) Read(p []byte) (int, error) {
	time.Sleep(t.pause)
	return min(t.n, len(p)), nil
}

// An upload times out when it stalls or, after a minute, averages less than 32 KiB/s; otherwise it never does.
func TestUploadPace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body trickle
		cut  bool
	}{
		"a byte every 5 s":        {trickle{1, 5 * time.Second}, true},
		"half the minimum rate":   {trickle{16 << 10, time.Second}, true},
		"twice the minimum rate":  {trickle{64 << 10, time.Second}, false},
		"in large pieces, slowly": {trickle{2 << 20, 50 * time.Second}, false},
		"a fast network":          {trickle{1 << 20, 10 * time.Millisecond}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := &deadlines{}
				b := &pacedBody{body: c.body, rc: d, start: time.Now()}
				start, cut, buf := time.Now(), false, make([]byte, 4<<20)
				for !cut && time.Since(start) < 10*time.Minute {
					_, err := b.Read(buf)
					require.NoError(t, err)
					cut = !time.Now().Before(d.last)
				}
				require.Equal(t, c.cut, cut, "after %v", time.Since(start))
				if cut {
					require.GreaterOrEqual(t, time.Since(start), uploadGrace)
				}
			})
		})
	}
}

// The error of an upload that is cut says whether the client was too slow or went away.
func TestCutUpload(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]string{
		os.ErrDeadlineExceeded: "The upload was too slow.", io.ErrUnexpectedEOF: "The connection closed before all bytes arrived.",
	} {
		b := &pacedBody{body: iotest.ErrReader(cause), rc: &deadlines{}, start: time.Now()}
		_, err := b.Read(make([]byte, 1))
		require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
		require.Equal(t, want, engine.Message(err))
		require.ErrorIs(t, err, cause)
	}
}

// A refusal has a reason. An error of the server has none.
func TestStorageReasons(t *testing.T) {
	t.Parallel()
	for code, want := range map[engine.Code]bool{engine.CodeInternal: false, engine.CodeNotFound: true} {
		w := httptest.NewRecorder()
		a := &api{log: slog.New(slog.DiscardHandler)}
		a.failStorage(w, httptest.NewRequest(http.MethodPut, "/storage/a", nil), engine.Errorf(code, "putObject", "No."))
		require.Equal(t, want, w.Header().Get(reasonHeader) != "", code)
	}
}
