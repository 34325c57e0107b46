package engine

import (
	"strings"
	"time"
)

type (
	// SpeakerID identifies a Speaker.
	SpeakerID string
	// RoleID identifies a Role.
	RoleID string
)

// Speaker is a person of a space, to whom labels of recordings can be assigned.
type Speaker struct {
	ID        SpeakerID
	SpaceID   SpaceID
	Name      string
	Email     string
	Bio       string
	Pronouns  string
	RoleID    RoleID // "" when none
	AISummary string // generated
	Emoji     string
	CreatedAt time.Time
}

// Role is what a speaker is to a show, "Host". Roles belong to a space.
type Role struct {
	ID        RoleID
	SpaceID   SpaceID
	Name      string
	CreatedAt time.Time
}

// Assignment says that the voice with this label in this recording is the speaker's.
type Assignment struct {
	RecordingID RecordingID
	Label       string // "Speaker 0"
	SpeakerID   SpeakerID
}

// Validate reports what is wrong with the speaker, as CodeInvalid.
func (s Speaker) Validate() error {
	if strings.TrimSpace(s.Name) == "" {
		return Errorf(CodeInvalid, "Speaker", "A speaker needs a name.")
	}
	return nil
}

// speakerNames returns the names of the speakers who are assigned to labels of a recording, by label.
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
