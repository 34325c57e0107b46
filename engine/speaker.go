package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

type (
	// SpeakerID identifies a Speaker.
	SpeakerID string
	// RoleID identifies a Role.
	RoleID string
)

// Speaker is a person of a space. Labels of recordings can be assigned to a speaker.
type Speaker struct {
	ID        SpeakerID
	SpaceID   SpaceID
	Name      string
	Email     string
	Bio       string
	Pronouns  string
	RoleID    RoleID // "" when none
	AISummary string // generated after the speaker's first assignment in a completed recording; "" before
	Emoji     string
	CreatedAt time.Time
}

// Role is a speaker's role in a show, such as "Host". Roles belong to a space.
type Role struct {
	ID        RoleID
	SpaceID   SpaceID
	Name      string
	CreatedAt time.Time
}

// Profile is a speaker with the name of its role.
type Profile struct {
	Speaker
	Role string // "" when none
}

// Validate returns what is wrong with the speaker, as CodeInvalid.
func (s Speaker) Validate() error {
	const op = "Speaker"
	if strings.TrimSpace(s.Name) == "" {
		return Errorf(CodeInvalid, op, "name is required.").WithRule("speaker.name-required")
	}
	for _, f := range []struct{ field, text string }{
		{"name", s.Name}, {"email", s.Email}, {"pronouns", s.Pronouns}, {"emoji", s.Emoji},
	} {
		if err := input.CheckLine(op, f.field, f.text); err != nil {
			return err
		}
	}
	if s.Email != "" && (!strings.Contains(s.Email, "@") || strings.ContainsAny(s.Email, " \t")) {
		return Errorf(CodeInvalid, op, "email is not an address.")
	}
	return input.CheckText(op, "bio", s.Bio)
}

// NewSpeaker is the request for a speaker.
type NewSpeaker struct {
	SpaceID  SpaceID // required
	Name     string  // required
	Email    string
	Bio      string
	Pronouns string
	Role     string // name of a role of the space, in any case; "" for none
	Emoji    string
}

// CreateSpeaker creates a speaker in a space. Errors: CodeInvalid (a field, an unknown role), CodeNotFound (the space), CodeConflict (the
// space is inactive).
func (e *Engine) CreateSpeaker(ctx context.Context, c Caller, n NewSpeaker) (Profile, error) {
	const op = "CreateSpeaker"
	p := Profile{Speaker: Speaker{
		ID: SpeakerID(e.ids.NewID("speaker")), SpaceID: n.SpaceID, Name: strings.TrimSpace(n.Name), Email: n.Email, Bio: n.Bio,
		Pronouns: n.Pronouns, Emoji: n.Emoji, CreatedAt: e.created("speaker"),
	}}
	if err := p.Validate(); err != nil {
		return Profile{}, wrap(op, err)
	}
	err := e.update(ctx, func(tx Tx) error {
		if _, err := activeSpace(tx, c, n.SpaceID); err != nil {
			return err
		}
		if n.Role != "" {
			role, ok, err := findRole(tx, n.SpaceID, n.Role)
			if err != nil {
				return err
			}
			if !ok {
				return Errorf(CodeInvalid, op, "role is not the name of a role of the space.").WithRule("speaker.role-unknown")
			}
			p.RoleID, p.Role = role.ID, role.Name
		}
		return tx.PutSpeaker(p.Speaker)
	})
	if err != nil {
		return Profile{}, wrap(op, err)
	}
	return p, nil
}

// ListSpeakers returns a space and its speakers, oldest first. Errors: CodeNotFound (the space).
func (e *Engine) ListSpeakers(ctx context.Context, c Caller, id SpaceID) (s Space, profiles []Profile, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if s, err = memberSpace(tx, c, id); err != nil {
			return err
		}
		speakers, err := tx.Speakers(id)
		if err != nil {
			return err
		}
		roles, err := tx.Roles(id)
		if err != nil {
			return err
		}
		for _, sp := range speakers {
			profiles = append(profiles, Profile{Speaker: sp, Role: roleName(roles, sp.RoleID)})
		}
		return nil
	})
	return s, profiles, wrap("ListSpeakers", err)
}

func profileOf(tx ReadTx, s Speaker) (Profile, error) {
	roles, err := tx.Roles(s.SpaceID)
	return Profile{Speaker: s, Role: roleName(roles, s.RoleID)}, err
}

// findRole returns the role of a space by name, in any case; ok is false when there is none.
func findRole(tx ReadTx, id SpaceID, name string) (role Role, ok bool, err error) {
	roles, err := tx.Roles(id)
	i := slices.IndexFunc(roles, func(r Role) bool { return transcript.Fold(r.Name) == transcript.Fold(strings.TrimSpace(name)) })
	if err != nil || i < 0 {
		return Role{}, false, err
	}
	return roles[i], true, nil
}

// roleName returns the name of a role, "" for none.
func roleName(roles []Role, id RoleID) string {
	i := slices.IndexFunc(roles, func(r Role) bool { return r.ID == id })
	if i < 0 {
		return ""
	}
	return roles[i].Name
}

// ListRoles returns the roles of a space, oldest first. Errors: CodeNotFound (the space).
func (e *Engine) ListRoles(ctx context.Context, c Caller, id SpaceID) (roles []Role, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if _, err := memberSpace(tx, c, id); err != nil {
			return err
		}
		roles, err = tx.Roles(id)
		return err
	})
	return roles, wrap("ListRoles", err)
}

// SpeakerChange is the change of UpdateSpeaker. nil keeps a field; "" clears it.
type SpeakerChange struct {
	Name, Email, Bio, Pronouns, Emoji *string
	RoleID                            *RoleID
}

// Validate returns what is wrong with the change, as CodeInvalid.
func (ch SpeakerChange) Validate() error {
	s := Speaker{Name: "unchanged"}
	ch.apply(&s)
	return s.Validate()
}

// apply changes the fields of a speaker.
func (ch SpeakerChange) apply(s *Speaker) {
	for _, f := range []struct{ to, from *string }{
		{&s.Name, ch.Name}, {&s.Email, ch.Email}, {&s.Bio, ch.Bio}, {&s.Pronouns, ch.Pronouns}, {&s.Emoji, ch.Emoji},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	s.Name = strings.TrimSpace(s.Name)
	if ch.RoleID != nil {
		s.RoleID = *ch.RoleID
	}
}

// UpdateSpeaker changes a speaker. Errors: CodeInvalid (a field, a role of another space), CodeNotFound.
func (e *Engine) UpdateSpeaker(ctx context.Context, c Caller, id SpeakerID, change SpeakerChange) (p Profile, err error) {
	const op = "UpdateSpeaker"
	if err := change.Validate(); err != nil {
		return Profile{}, wrap(op, err)
	}
	err = e.update(ctx, func(tx Tx) error {
		s, err := visibleSpeaker(tx, c, id)
		if err != nil {
			return err
		}
		change.apply(&s)
		if p, err = profileOf(tx, s); err != nil {
			return err
		}
		if s.RoleID != "" && p.Role == "" {
			return Errorf(CodeInvalid, op, "speaker_role_id is not a role of the speaker's space.").WithRule("speaker.role-foreign")
		}
		return tx.PutSpeaker(s)
	})
	if err != nil {
		return Profile{}, wrap(op, err)
	}
	return p, nil
}

// visibleSpeaker returns a speaker of a space that the caller belongs to, or CodeNotFound.
func visibleSpeaker(tx ReadTx, c Caller, id SpeakerID) (Speaker, error) {
	s, err := tx.Speaker(id)
	if err != nil {
		return Speaker{}, err
	}
	if _, err := memberSpace(tx, c, s.SpaceID); err != nil {
		return Speaker{}, notFoundAs("", "speaker", err)
	}
	return s, nil
}

// speakerNames returns the names of the speakers assigned in a recording, by label.
func speakerNames(tx ReadTx, id RecordingID) (map[string]string, error) {
	assignments, err := tx.Assignments(id)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(assignments))
	for _, a := range assignments {
		s, err := tx.Speaker(a.SpeakerID)
		if err != nil {
			return nil, err
		}
		names[a.Label] = s.Name
	}
	return names, nil
}
