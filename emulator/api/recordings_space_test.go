package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// renames is a store that, once armed, renames the space right after an update, as a concurrent writer could.
type renames struct {
	engine.Store
	armed bool
}

func (s *renames) Update(ctx context.Context, fn func(engine.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if !s.armed || err != nil {
		return err
	}
	s.armed = false
	return s.Store.Update(ctx, func(tx engine.Tx) error {
		space, err := tx.Space("space")
		if err != nil {
			return err
		}
		space.Name = "Renamed"
		return tx.PutSpace(space)
	})
}

// The response for a new recording shows the space as of the transaction that created the recording.
func TestCreatedRecordingHasItsSpace(t *testing.T) {
	t.Parallel()
	store := &renames{Store: memory.NewStore()}
	e, err := engine.New(engine.Config{
		Store: store, Blobs: memory.NewBlobs(), Media: struct{ engine.Media }{}, Transcriber: struct{ engine.Transcriber }{},
	})
	require.NoError(t, err)
	me, err := e.CreateAccount(t.Context(), engine.NewAccount{Name: "Before", SpaceID: "space"})
	require.NoError(t, err)
	_, secret, err := e.CreateKey(t.Context(), me, engine.NewKey{Name: "test"})
	require.NoError(t, err)
	up, err := e.CreateUpload(t.Context(), me, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(t, err)
	_, err = e.ReceiveUpload(t.Context(), up.ID, strings.NewReader("bytes"))
	require.NoError(t, err)

	store.armed = true
	req := httptest.NewRequest(http.MethodPost, "/v1/recordings", strings.NewReader(fmt.Sprintf(`{"object_id":%q}`, up.ID)))
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.New(api.Config{Engine: e}).ServeHTTP(w, req)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"name":"Before"`)
}
