package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/builtin"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// SpaceID identifies a Space.
type SpaceID string

// Space contains recordings, prompts, and speakers.
type Space struct {
	ID           SpaceID
	AccountID    AccountID
	Name         string
	Language     transcript.Language   // default of its recordings
	AutoGenerate bool                  // run the built-in prompts on each new recording
	BoostedWords []string              // words that transcribers should expect in every recording
	Spellings    []transcript.Spelling // how to write certain words in every recording
	Inactive     bool                  // its recordings are not listed, and it accepts nothing new
	LastNumber   int                   // number of the newest recording; numbers are never reused
	CreatedAt    time.Time
	Owners       []UserID // members who may change who belongs to the space; see RoleOf
	// Retention is how long recordings are kept, from their CreatedAt; then they are deleted as by DeleteRecording. 0 keeps them for ever,
	// MinRetention is the least. A change takes effect at once, and the check of each recording is at most an hour late. Not part of /v1.
	Retention time.Duration
}

// Validate returns what is wrong with the space, as CodeInvalid.
func (s Space) Validate() error {
	const op = "Space"
	switch {
	case strings.TrimSpace(s.Name) == "":
		return Errorf(CodeInvalid, op, "A space needs a name.")
	case !s.Language.Supported():
		return Errorf(CodeInvalid, op, "Language %q is not supported.", s.Language)
	}
	for _, sp := range s.Spellings {
		if strings.TrimSpace(sp.To) == "" || len(sp.From) == 0 || slices.Contains(sp.From, "") {
			return Errorf(CodeInvalid, op, "A custom spelling needs words to replace and what to write instead.")
		}
		if badBoostedWord(sp.To) || slices.ContainsFunc(sp.From, badBoostedWord) {
			return Errorf(CodeInvalid, op, "A custom spelling is blank, has control characters, or is longer than %d characters.", MaxBoostedWord)
		}
	}
	if err := checkRetention(op, s.Retention); err != nil {
		return err
	}
	if len(s.BoostedWords) > MaxBoostedWords || slices.ContainsFunc(s.BoostedWords, badBoostedWord) {
		return Errorf(CodeInvalid, op, "A space may boost %d words, of at most %d characters each.", MaxBoostedWords, MaxBoostedWord)
	}
	return nil
}

// createSpace writes a new space with its roles, its built-in prompts, and its owner.
func (e *Engine) createSpace(tx Tx, s Space, member UserID) error {
	s.Owners = []UserID{member}
	if err := s.Validate(); err != nil {
		return err
	}
	if err := tx.PutSpace(s); err != nil {
		return err
	}
	for _, name := range builtin.Roles() {
		if err := tx.PutRole(Role{ID: RoleID(e.ids.NewID("role")), SpaceID: s.ID, Name: name, CreatedAt: e.created("role")}); err != nil {
			return err
		}
	}
	if err := e.putBuiltins(tx, s); err != nil {
		return err
	}
	if err := tx.AddMember(s.ID, member); err != nil {
		return err
	}
	return e.expireLater(tx, s)
}

// CreateSpace creates a space in the caller's account with the caller as its owner. Name is required; ID, AccountID, CreatedAt, LastNumber,
// and Owners are ignored.
func (e *Engine) CreateSpace(ctx context.Context, c Caller, s Space) (Space, error) {
	if s.Language == "" {
		s.Language = transcript.DefaultLanguage
	}
	s.ID, s.AccountID, s.CreatedAt, s.LastNumber = SpaceID(e.ids.NewID("space")), c.AccountID, e.created("space"), 0
	s.Owners = []UserID{c.UserID}
	err := e.update(ctx, func(tx Tx) error { return e.createSpace(tx, s, c.UserID) })
	return s, wrap("CreateSpace", err)
}

// UpdateSpace changes the settings of a space that the caller belongs to. Changes to ID, AccountID, CreatedAt, LastNumber, and Owners are
// ignored. change may be called more than once.
func (e *Engine) UpdateSpace(ctx context.Context, c Caller, id SpaceID, change func(*Space) error) (Space, error) {
	var s Space
	err := e.update(ctx, func(tx Tx) error {
		old, err := memberSpace(tx, c, id)
		if err != nil {
			return err
		}
		s = old
		if err := change(&s); err != nil {
			return err
		}
		s.ID, s.AccountID, s.CreatedAt, s.LastNumber, s.Owners = old.ID, old.AccountID, old.CreatedAt, old.LastNumber, old.Owners
		if err := s.Validate(); err != nil {
			return err
		}
		if err := tx.PutSpace(s); err != nil || s.Retention == old.Retention {
			return err
		}
		return e.expireLater(tx, s)
	})
	return s, wrap("UpdateSpace", err)
}

// ListSpaces returns every space that the caller belongs to, oldest first.
func (e *Engine) ListSpaces(ctx context.Context, c Caller) (spaces []Space, err error) {
	err = e.store.View(ctx, func(tx ReadTx) (err error) {
		spaces, err = tx.SpacesOf(c.UserID)
		return err
	})
	return spaces, wrap("ListSpaces", err)
}

// memberSpace returns the space if the caller belongs to it. Other spaces are CodeNotFound, so that they look missing.
func memberSpace(tx ReadTx, c Caller, id SpaceID) (Space, error) {
	spaces, err := tx.SpacesOf(c.UserID)
	if err != nil {
		return Space{}, err
	}
	i := slices.IndexFunc(spaces, func(s Space) bool { return s.ID == id })
	if i < 0 {
		return Space{}, NotFound("", "space")
	}
	return spaces[i], nil
}

// activeSpace is memberSpace for writes: CodeConflict when the space is inactive.
func activeSpace(tx ReadTx, c Caller, id SpaceID) (Space, error) {
	s, err := memberSpace(tx, c, id)
	if err == nil && s.Inactive {
		return Space{}, Errorf(CodeConflict, "", "The space is inactive.")
	}
	return s, err
}
