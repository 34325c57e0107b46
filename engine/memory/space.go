package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// member says that a user belongs to a space.
type member struct {
	user  engine.UserID
	space engine.SpaceID
}

func (tx *readTx) Space(id engine.SpaceID) (engine.Space, error) { return get(tx, tx.spaces, id) }

func (tx *readTx) SpacesOf(id engine.UserID) ([]engine.Space, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	spaces := []engine.Space{}
	for m := range tx.membersByUser.ascend(tx, id) {
		if s := tx.tables.spaces.find(tx, m.space); s != nil {
			spaces = append(spaces, tx.tables.spaces.copyOf(s))
		}
	}
	slices.SortFunc(spaces, func(a, b engine.Space) int { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) })
	return spaces, nil
}

func (tx *readTx) Members(id engine.SpaceID) ([]engine.UserID, error) {
	members, err := list(tx, tx.members, tx.membersBySpace, id)
	users := make([]engine.UserID, len(members))
	for i, m := range members {
		users[i] = m.user
	}
	return users, err
}

func (tx *writeTx) PutSpace(s engine.Space) error { return put(tx, tx.spaces, s.ID, s) }

func (tx *writeTx) AddMember(space engine.SpaceID, user engine.UserID) error {
	m := member{user, space}
	return put(tx, tx.members, m, m)
}

func (tx *writeTx) RemoveMember(space engine.SpaceID, user engine.UserID) error {
	return remove(tx, tx.members, member{user, space})
}

func memberName(m member) string { return pair(m.user, m.space) }

func memberUser(m *member) engine.UserID { return m.user }
func byMemberSpace(a, b *member) int     { return strings.Compare(string(a.space), string(b.space)) }

func memberSpace(m *member) engine.SpaceID { return m.space }
func byMemberUser(a, b *member) int        { return strings.Compare(string(a.user), string(b.user)) }

func cloneSpace(s engine.Space) engine.Space {
	s.BoostedWords = slices.Clone(s.BoostedWords)
	s.Spellings = cloneSpellings(s.Spellings)
	s.Owners = slices.Clone(s.Owners)
	s.CreatedAt = utc(s.CreatedAt)
	return s
}

func cloneSpellings(spellings []transcript.Spelling) []transcript.Spelling {
	spellings = slices.Clone(spellings)
	for i := range spellings {
		spellings[i].From = slices.Clone(spellings[i].From)
	}
	return spellings
}
