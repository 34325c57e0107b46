package sqlite

import (
	"github.com/soundstage-dev/soundstage/engine"
)

var spaces = newTable("spaces", "space", func(c *columns, v *engine.Space) {
	key(c, "id", &v.ID)
	text(c, "account_id", &v.AccountID)
	text(c, "name", &v.Name)
	text(c, "language", &v.Language)
	flag(c, "auto_generate", &v.AutoGenerate)
	list(c, "boosted_words", &v.BoostedWords)
	list(c, "spellings", &v.Spellings)
	flag(c, "inactive", &v.Inactive)
	number(c, "last_number", &v.LastNumber)
	timestamp(c, "created_at", &v.CreatedAt)
	list(c, "owners", &v.Owners)
	duration(c, "retention", &v.Retention)
})

const (
	membersOfSpace = "SELECT user_id FROM members INDEXED BY members_by_space WHERE space_id = ? ORDER BY user_id"
)

var spacesOfUser = "SELECT " + spaces.columns + ` FROM members CROSS JOIN spaces ON id = space_id
	WHERE user_id = ? ORDER BY created_at, id`

func (t *readTx) Space(id engine.SpaceID) (engine.Space, error) {
	return one(t, spaces, spaces.get, string(id))
}

func (t *readTx) SpacesOf(id engine.UserID) ([]engine.Space, error) {
	return all(t, spaces, spacesOfUser, string(id))
}

func (t *readTx) Members(id engine.SpaceID) ([]engine.UserID, error) {
	return each(t, func(r *row) engine.UserID { return engine.UserID(r.text()) }, membersOfSpace, string(id))
}

func (t *tx) PutSpace(s engine.Space) error { return write(t, spaces, spaces.put, s) }

func (t *tx) AddMember(space engine.SpaceID, user engine.UserID) error {
	return t.exec("INSERT INTO members (user_id, space_id) VALUES (?, ?) ON CONFLICT DO NOTHING", string(user), string(space))
}

func (t *tx) RemoveMember(space engine.SpaceID, user engine.UserID) error {
	return t.exec("DELETE FROM members WHERE user_id = ? AND space_id = ?", string(user), string(space))
}
