package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// wireSpeaker is a speaker with its emoji, which lists of speakers omit (specification, "Speakers").
type wireSpeaker struct {
	wireListedSpeaker
	Emoji *string `json:"emoji"`
}

type wireListedSpeaker struct {
	ID        engine.SpeakerID `json:"id"`
	Name      string           `json:"name"`
	Email     *string          `json:"email"`
	Bio       *string          `json:"bio"`
	Pronouns  *string          `json:"pronouns"`
	Role      *string          `json:"role"`
	RoleID    *engine.RoleID   `json:"speaker_role_id"`
	AISummary *string          `json:"ai_summary"`
}

func wireOfListedSpeaker(p engine.Profile) wireListedSpeaker {
	return wireListedSpeaker{
		ID: p.ID, Name: p.Name, Email: orNull(p.Email), Bio: orNull(p.Bio), Pronouns: orNull(p.Pronouns), Role: orNull(p.Role), RoleID: orNull(p.RoleID),
		AISummary: orNull(p.AISummary),
	}
}

func wireOfSpeaker(p engine.Profile) wireSpeaker {
	return wireSpeaker{wireOfListedSpeaker(p), orNull(p.Emoji)}
}

type speakerBody struct {
	Speaker wireSpeaker `json:"speaker"`
}

// orNull returns nil for the empty string, which encodes as null.
func orNull[S ~string](s S) *S {
	if s == "" {
		return nil
	}
	return &s
}

// listSpeakers handles GET /v1/spaces/:space_id/speakers.
func (a *api) listSpeakers(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	s, profiles, err := a.engine.ListSpeakers(req.Context(), c, engine.SpaceID(req.PathValue("space_id")))
	if err != nil {
		return err
	}
	out := struct {
		Space    wireSpaceRef        `json:"space"`
		Speakers []wireListedSpeaker `json:"speakers"`
		Count    int                 `json:"count"`
	}{wireSpaceRef{s.ID, s.Name}, make([]wireListedSpeaker, len(profiles)), len(profiles)}
	for i, p := range profiles {
		out.Speakers[i] = wireOfListedSpeaker(p)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// createSpeaker handles POST /v1/spaces/:space_id/speakers.
func (a *api) createSpeaker(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewSpeaker{
		SpaceID: engine.SpaceID(req.PathValue("space_id")), Name: b.string("name"), Email: b.string("email"), Bio: b.string("bio"),
		Pronouns: b.string("pronouns"), Role: b.string("role"), Emoji: b.string("emoji"),
	}
	if b.first != nil {
		return b.first
	}
	p, err := a.engine.CreateSpeaker(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, speakerBody{wireOfSpeaker(p)})
	return nil
}

// updateSpeaker handles PATCH /v1/speakers/:id. Null clears a field.
func (a *api) updateSpeaker(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	change := engine.SpeakerChange{
		Name: b.change("name"), Email: b.change("email"), Bio: b.change("bio"), Pronouns: b.change("pronouns"), Emoji: b.change("emoji"),
		RoleID: (*engine.RoleID)(b.change("speaker_role_id")),
	}
	if b.first != nil {
		return b.first
	}
	p, err := a.engine.UpdateSpeaker(req.Context(), c, engine.SpeakerID(req.PathValue("id")), change)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, speakerBody{wireOfSpeaker(p)})
	return nil
}

// listLabels handles GET /v1/recordings/:id/speakers.
func (a *api) listLabels(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	id := engine.RecordingID(req.PathValue("id"))
	labels, err := a.engine.ListLabels(req.Context(), c, id)
	if err != nil {
		return err
	}
	type wireLabel struct {
		Label   string       `json:"label"`
		Speaker *wireSpeaker `json:"speaker"`
	}
	out := struct {
		RecordingID engine.RecordingID `json:"recording_id"`
		Speakers    []wireLabel        `json:"speakers"`
		Count       int                `json:"count"`
	}{id, make([]wireLabel, len(labels)), len(labels)}
	for i, l := range labels {
		out.Speakers[i].Label = l.Label
		if l.Speaker != nil {
			s := wireOfSpeaker(*l.Speaker)
			out.Speakers[i].Speaker = &s
		}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

type assignmentBody struct {
	RecordingID engine.RecordingID `json:"recording_id"`
	Label       string             `json:"label"`
	Speaker     *wireSpeaker       `json:"speaker"`
}

// readAssignment reads the request body of assign and unassign.
func readAssignment(w http.ResponseWriter, req *http.Request) (engine.Assignment, error) {
	b, err := readBody(w, req)
	if err != nil {
		return engine.Assignment{}, err
	}
	asked := engine.Assignment{
		RecordingID: engine.RecordingID(req.PathValue("id")), Label: b.string("label"), SpeakerID: engine.SpeakerID(b.string("speaker_id")),
	}
	return asked, b.first
}

// assignSpeaker handles POST /v1/recordings/:id/speakers/assign.
func (a *api) assignSpeaker(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	asked, err := readAssignment(w, req)
	if err != nil {
		return err
	}
	p, err := a.engine.AssignSpeaker(req.Context(), c, asked)
	if err != nil {
		return err
	}
	s := wireOfSpeaker(p)
	writeJSON(w, http.StatusOK, assignmentBody{asked.RecordingID, asked.Label, &s})
	return nil
}

// unassignSpeaker handles POST /v1/recordings/:id/speakers/unassign. The speaker in its response is null.
func (a *api) unassignSpeaker(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	asked, err := readAssignment(w, req)
	if err != nil {
		return err
	}
	if err := a.engine.UnassignSpeaker(req.Context(), c, asked); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, assignmentBody{asked.RecordingID, asked.Label, nil})
	return nil
}
