package control

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// The response has the hint of an error, also when the error is wrapped. No cache keeps it, and no browser takes it for something else.
func TestWriteErrorHint(t *testing.T) {
	t.Parallel()
	err := engine.Errorf(engine.CodeConflict, "op", "The name is taken.").WithHint("Use another name.")
	for _, err := range []error{err, fmt.Errorf("snapshot: %w", err)} {
		rec := httptest.NewRecorder()
		writeError(rec, err)
		require.Equal(t, 409, rec.Code)
		require.Equal(t, "no-store", rec.Header().Get("Cache-Control"))
		require.Equal(t, "nosniff", rec.Header().Get("X-Content-Type-Options"))
		require.JSONEq(t, `{"error":"The name is taken.","hint":"Use another name."}`, rec.Body.String())
	}
}
