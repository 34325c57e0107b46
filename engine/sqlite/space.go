package sqlite

import (
	"errors"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	spaceColumns   = "id, account_id, name, language, auto_generate, boosted_words, spellings, inactive, last_number, created_at"
	membersOfSpace = "SELECT user_id FROM members INDEXED BY members_by_space WHERE space_id = ? ORDER BY user_id"
)

var putSpace = upsert("spaces", spaceColumns)

func (t *readTx) Space(id engine.SpaceID) (engine.Space, error) {
	return one(t, "space", scanSpace, "SELECT "+spaceColumns+" FROM spaces WHERE id = ?", string(id))
}

func (t *readTx) SpacesOf(id engine.UserID) ([]engine.Space, error) {
	return all(t, scanSpace, "SELECT "+spaceColumns+` FROM members CROSS JOIN spaces ON id = space_id
		WHERE user_id = ? ORDER BY created_at, id`, string(id))
}

func (t *readTx) Members(id engine.SpaceID) ([]engine.UserID, error) {
	return all(t, func(r *row) engine.UserID { return engine.UserID(r.text()) }, membersOfSpace, string(id))
}

func (t *tx) PutSpace(s engine.Space) error {
	words, err := toJSON(s.BoostedWords)
	spellings, err2 := toJSON(s.Spellings)
	if err := errors.Join(err, err2); err != nil {
		return t.fail(err)
	}
	return t.exec(putSpace, string(s.ID), string(s.AccountID), s.Name, string(s.Language), s.AutoGenerate, words, spellings,
		s.Inactive, int64(s.LastNumber), micros(s.CreatedAt))
}

func (t *tx) AddMember(space engine.SpaceID, user engine.UserID) error {
	return t.exec("INSERT INTO members (user_id, space_id) VALUES (?, ?) ON CONFLICT DO NOTHING", string(user), string(space))
}

func scanSpace(r *row) engine.Space {
	return engine.Space{
		ID: engine.SpaceID(r.text()), AccountID: engine.AccountID(r.text()), Name: r.text(), Language: engine.Language(r.text()),
		AutoGenerate: r.bool(), BoostedWords: optional(r, fromJSON[[]string]), Spellings: optional(r, fromJSON[[]engine.Spelling]),
		Inactive: r.bool(), LastNumber: r.int(), CreatedAt: r.time(),
	}
}
