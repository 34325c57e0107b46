package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var spaces = newTable(rows.Spaces)

const (
	membersOfSpace = "SELECT user_id FROM members WHERE space_id = $1 ORDER BY user_id"
)

var spacesOfUser = "SELECT " + spaces.columns + ` FROM members JOIN spaces ON id = space_id
	WHERE user_id = $1 ORDER BY created_at, id`

func (t *readTx) Space(id engine.SpaceID) (engine.Space, error) {
	return one(t, spaces, spaces.get, string(id))
}

func (t *readTx) SpacesOf(id engine.UserID) ([]engine.Space, error) {
	return all(t, spaces, spacesOfUser, string(id))
}

func (t *readTx) Members(id engine.SpaceID) ([]engine.UserID, error) {
	return each(t, func(r *rows.Row) engine.UserID { return engine.UserID(r.Text()) }, membersOfSpace, string(id))
}

func (t *tx) PutSpace(s engine.Space) error { return write(t, spaces, spaces.put, s) }

func (t *tx) AddMember(space engine.SpaceID, user engine.UserID) error {
	return t.exec("INSERT INTO members (user_id, space_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", string(user), string(space))
}

func (t *tx) RemoveMember(space engine.SpaceID, user engine.UserID) error {
	return t.exec("DELETE FROM members WHERE user_id = $1 AND space_id = $2", string(user), string(space))
}
