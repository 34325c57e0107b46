package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// joiningCases are claims about stores that are engine.JoiningStore.
func joiningCases() []storeCase {
	return []storeCase{
		{"a recording is joined with its space for members of it only", recordingOfMember},
		{"a key is joined with its user and account", ownerOfKey},
	}
}

func recordingOfMember(t *testing.T, s engine.Store) {
	joining, ok := s.(engine.JoiningStore)
	if !ok {
		return
	}
	want, space := engine.Recording{ID: "r", SpaceID: "a", Title: "Talk", TranscriptStatus: engine.TranscriptCompleted, CreatedAt: at(0)}, engine.Space{ID: "a", Name: "A", CreatedAt: at(0)}
	update(t, s, func(tx engine.Tx) error {
		for _, err := range []error{
			tx.PutSpace(space), tx.PutSpace(engine.Space{ID: "b", Name: "B", CreatedAt: at(0)}), tx.PutRecording(want),
			tx.AddMember("a", "ann"), tx.AddMember("a", "al"), tx.AddMember("b", "ann"), tx.AddMember("b", "bob"),
		} {
			require.NoError(t, err)
		}
		return nil
	})
	r, of, err := joining.MemberRecording(t.Context(), "r", "ann")
	require.NoError(t, err)
	stored := read(t, s, func(tx engine.ReadTx) (engine.Recording, error) { return tx.Recording("r") })
	require.Equal(t, stored, r)
	require.Equal(t, read(t, s, func(tx engine.ReadTx) (engine.Space, error) { return tx.Space("a") }), of)
	for user, id := range map[engine.UserID]engine.RecordingID{"bob": "r", "": "r", "ann": "none", "al\x00": "r"} {
		_, _, err := joining.MemberRecording(t.Context(), id, user)
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err), "%q %q", user, id)
	}
}

func ownerOfKey(t *testing.T, s engine.Store) {
	joining, ok := s.(engine.JoiningStore)
	if !ok {
		return
	}
	key := engine.Key{ID: "k", UserID: "ann", Hash: [32]byte{1}, CreatedAt: at(0)}
	update(t, s, func(tx engine.Tx) error {
		for _, err := range []error{tx.PutAccount(engine.Account{ID: "a", CreatedAt: at(0)}), tx.PutUser(engine.User{ID: "ann", AccountID: "a", CreatedAt: at(0)}), tx.PutKey(key)} {
			require.NoError(t, err)
		}
		return tx.PutKey(engine.Key{ID: "lost", UserID: "nobody", Hash: [32]byte{2}, CreatedAt: at(0)})
	})
	k, u, a, err := joining.KeyOwner(t.Context(), key.Hash)
	require.NoError(t, err)
	require.Equal(t, []any{key.ID, engine.UserID("ann"), engine.AccountID("a")}, []any{k.ID, u.ID, a.ID})
	for _, hash := range [][32]byte{{2}, {3}} {
		_, _, _, err := joining.KeyOwner(t.Context(), hash)
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
	}
}
