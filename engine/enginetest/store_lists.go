package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// listCases returns the claims about lists without pages. Oldest first means by CreatedAt, then by ID.
func listCases() []storeCase {
	return []storeCase{
		{"spaces of a user are listed oldest first, including inactive ones", spacesOfUser},
		{"adding a member twice adds it once", addedTwice},
		{"a changed space appears changed in every list", spacesFollow},
		{"keys of a user are listed oldest first", keysOfUser},
		{"a deleted key is not found, and deleting it again is no error", deletedKey},
		{"a key with a changed hash is found only by the new hash", rehashedKey},
		{"two keys can't have the same hash", oneKeyPerHash},
		{"speakers and roles of a space are listed oldest first", speakersOfSpace},
		{"speakers and roles that move to another space leave the old one", speakersMove},
		{"assignments are listed by label number", assignmentsInOrder},
		{"assigning a label again replaces the speaker, and deleting removes it", assignmentsChange},
	}
}

func spaceIDs(t *testing.T, s engine.Store, user engine.UserID) []string {
	t.Helper()
	spaces := read(t, s, func(tx engine.ReadTx) ([]engine.Space, error) { return tx.SpacesOf(user) })
	return ids(spaces, func(s engine.Space) engine.SpaceID { return s.ID })
}

func spacesOfUser(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpace,
		engine.Space{ID: "c", CreatedAt: at(1)}, engine.Space{ID: "d", CreatedAt: at(0), Inactive: true},
		engine.Space{ID: "b", CreatedAt: at(2)}, engine.Space{ID: "a", CreatedAt: at(2)}, engine.Space{ID: "other", CreatedAt: at(0)},
	)
	update(t, s, func(tx engine.Tx) error {
		return errors.Join(
			tx.AddMember("a", "me"), tx.AddMember("b", "me"), tx.AddMember("c", "me"), tx.AddMember("d", "me"),
			tx.AddMember("other", "you"), tx.AddMember("a", "you"),
		)
	})
	require.Equal(t, []string{"d", "c", "a", "b"}, spaceIDs(t, s, "me"))
	require.Equal(t, []string{"other", "a"}, spaceIDs(t, s, "you"))
	require.Empty(t, spaceIDs(t, s, "nobody"))
}

func addedTwice(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "a"})
	for range 2 {
		update(t, s, func(tx engine.Tx) error { return errors.Join(tx.AddMember("a", "me"), tx.AddMember("a", "me")) })
	}
	require.Equal(t, []string{"a"}, spaceIDs(t, s, "me"))
}

func spacesFollow(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "a", CreatedAt: at(0)}, engine.Space{ID: "b", CreatedAt: at(1)})
	update(t, s, func(tx engine.Tx) error { return errors.Join(tx.AddMember("a", "me"), tx.AddMember("b", "me")) })
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "a", CreatedAt: at(2), Name: "later", LastNumber: 7})
	spaces := read(t, s, func(tx engine.ReadTx) ([]engine.Space, error) { return tx.SpacesOf("me") })
	require.Equal(t, []engine.Space{{ID: "b", CreatedAt: at(1)}, {ID: "a", CreatedAt: at(2), Name: "later", LastNumber: 7}}, spaces)
}

func newKey(id string, user engine.UserID, seconds int) engine.Key {
	return engine.Key{ID: engine.KeyID(id), UserID: user, Tier: engine.TierCore, Hash: engine.HashSecret(id), CreatedAt: at(seconds)}
}

func keyIDs(t *testing.T, s engine.Store, user engine.UserID) []string {
	t.Helper()
	keys := read(t, s, func(tx engine.ReadTx) ([]engine.Key, error) { return tx.Keys(user) })
	return ids(keys, func(k engine.Key) engine.KeyID { return k.ID })
}

func keyByHash(t *testing.T, s engine.Store, secret string) (engine.Key, error) {
	t.Helper()
	return tryRead(t, s, func(tx engine.ReadTx) (engine.Key, error) { return tx.KeyByHash(engine.HashSecret(secret)) })
}

func keysOfUser(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutKey, newKey("c", "me", 0), newKey("b", "me", 1), newKey("a", "me", 1), newKey("d", "me", -1), newKey("x", "you", 0))
	require.Equal(t, []string{"d", "c", "a", "b"}, keyIDs(t, s, "me"))
	require.Equal(t, []string{"x"}, keyIDs(t, s, "you"))
	require.Empty(t, keyIDs(t, s, "nobody"))
}

func deletedKey(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutKey, newKey("a", "me", 0), newKey("b", "me", 1))
	update(t, s, func(tx engine.Tx) error { return tx.DeleteKey("a") })
	update(t, s, func(tx engine.Tx) error { return errors.Join(tx.DeleteKey("a"), tx.DeleteKey("never")) })
	_, err := keyByHash(t, s, "a")
	requireCode(t, engine.CodeNotFound, err)
	require.Equal(t, []string{"b"}, keyIDs(t, s, "me"))
}

func rehashedKey(t *testing.T, s engine.Store) {
	k := newKey("a", "me", 0)
	write(t, s, engine.Tx.PutKey, k)
	k.Hash, k.UserID = engine.HashSecret("new"), "you"
	write(t, s, engine.Tx.PutKey, k)
	_, err := keyByHash(t, s, "a")
	requireCode(t, engine.CodeNotFound, err)
	got, err := keyByHash(t, s, "new")
	require.NoError(t, err)
	require.Equal(t, k, got)
	require.Empty(t, keyIDs(t, s, "me"))
	require.Equal(t, []string{"a"}, keyIDs(t, s, "you"))
}

func oneKeyPerHash(t *testing.T, s engine.Store) {
	k := newKey("a", "me", 0)
	write(t, s, engine.Tx.PutKey, k)
	other := newKey("b", "you", 1)
	other.Hash = k.Hash
	require.Error(t, s.Update(t.Context(), func(tx engine.Tx) error { return tx.PutKey(other) }))
	got, err := keyByHash(t, s, "a")
	require.NoError(t, err)
	require.Equal(t, k, got)
}

func speakerIDs(t *testing.T, s engine.Store, space engine.SpaceID) []string {
	t.Helper()
	speakers := read(t, s, func(tx engine.ReadTx) ([]engine.Speaker, error) { return tx.Speakers(space) })
	return ids(speakers, func(s engine.Speaker) engine.SpeakerID { return s.ID })
}

func roleIDs(t *testing.T, s engine.Store, space engine.SpaceID) []string {
	t.Helper()
	roles := read(t, s, func(tx engine.ReadTx) ([]engine.Role, error) { return tx.Roles(space) })
	return ids(roles, func(r engine.Role) engine.RoleID { return r.ID })
}

func speakersOfSpace(t *testing.T, s engine.Store) {
	update(t, s, func(tx engine.Tx) error {
		var errs []error
		for id, seconds := range map[string]int{"c": 0, "b": 1, "a": 1, "d": -1} {
			errs = append(errs,
				tx.PutSpeaker(engine.Speaker{ID: engine.SpeakerID(id), SpaceID: "space", CreatedAt: at(seconds)}),
				tx.PutRole(engine.Role{ID: engine.RoleID(id), SpaceID: "space", CreatedAt: at(seconds)}),
			)
		}
		return errors.Join(append(errs, tx.PutSpeaker(engine.Speaker{ID: "x", SpaceID: "other"}), tx.PutRole(engine.Role{ID: "x", SpaceID: "other"}))...)
	})
	require.Equal(t, []string{"d", "c", "a", "b"}, speakerIDs(t, s, "space"))
	require.Equal(t, []string{"d", "c", "a", "b"}, roleIDs(t, s, "space"))
	require.Equal(t, []string{"x"}, speakerIDs(t, s, "other"))
	require.Equal(t, []string{"x"}, roleIDs(t, s, "other"))
	require.Empty(t, speakerIDs(t, s, "none"))
	require.Empty(t, roleIDs(t, s, "none"))
}

func speakersMove(t *testing.T, s engine.Store) {
	for _, space := range []engine.SpaceID{"first", "second"} {
		write(t, s, engine.Tx.PutSpeaker, engine.Speaker{ID: "s", SpaceID: space})
		write(t, s, engine.Tx.PutRole, engine.Role{ID: "r", SpaceID: space})
	}
	require.Empty(t, speakerIDs(t, s, "first"))
	require.Empty(t, roleIDs(t, s, "first"))
	require.Equal(t, []string{"s"}, speakerIDs(t, s, "second"))
	require.Equal(t, []string{"r"}, roleIDs(t, s, "second"))
}

func assignmentsOf(t *testing.T, s engine.Store, id engine.RecordingID) (labels []string) {
	t.Helper()
	for _, a := range read(t, s, func(tx engine.ReadTx) ([]engine.Assignment, error) { return tx.Assignments(id) }) {
		labels = append(labels, a.Label+": "+string(a.SpeakerID))
	}
	return labels
}

func assignmentsInOrder(t *testing.T, s engine.Store) {
	var want []string
	for _, n := range []int{10, 2, 0, 100, 1, 11} {
		write(t, s, engine.Tx.PutAssignment, engine.Assignment{RecordingID: "r", Label: transcript.SpeakerLabel(n), SpeakerID: "s"})
	}
	for _, n := range []int{0, 1, 2, 10, 11, 100} {
		want = append(want, fmt.Sprintf("Speaker %d: s", n))
	}
	require.Equal(t, want, assignmentsOf(t, s, "r"))
	require.Empty(t, assignmentsOf(t, s, "other"))
}

func assignmentsChange(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutAssignment,
		engine.Assignment{RecordingID: "r", Label: "Speaker 0", SpeakerID: "a"}, engine.Assignment{RecordingID: "r", Label: "Speaker 1", SpeakerID: "a"},
		engine.Assignment{RecordingID: "q", Label: "Speaker 0", SpeakerID: "a"}, engine.Assignment{RecordingID: "r", Label: "Speaker 0", SpeakerID: "b"},
	)
	require.Equal(t, []string{"Speaker 0: b", "Speaker 1: a"}, assignmentsOf(t, s, "r"))
	for range 2 { // deleting a missing assignment is no error
		update(t, s, func(tx engine.Tx) error { return tx.DeleteAssignment("r", "Speaker 0") })
		require.Equal(t, []string{"Speaker 1: a"}, assignmentsOf(t, s, "r"))
		require.Equal(t, []string{"Speaker 0: a"}, assignmentsOf(t, s, "q"))
	}
}
