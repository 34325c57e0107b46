package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Archive is the input of Restore: spaces with their speakers, prompts, and recordings from another program or an earlier installation.
// Empty IDs are filled by Config.IDs. Restore updates an existing space, speaker, or prompt that has the same ID or, without one, the
// same name. An existing recording with the same ID is not changed.
type Archive struct {
	Spaces []ArchiveSpace
}

// ArchiveSpace is a space with its contents.
type ArchiveSpace struct {
	ID         SpaceID
	Name       string             // name of a new space; without an ID it also finds an existing one; with neither, the caller's default space is used
	Change     func(*Space) error // changes settings; may be nil, and may be called more than once
	Speakers   []ArchiveSpeaker
	Prompts    []Prompt // custom ones, without SpaceID and Type
	Recordings []ArchiveRecording
}

// ArchiveSpeaker is a speaker of a space.
type ArchiveSpeaker struct {
	Speaker        // without SpaceID and RoleID
	Role    string // name of a role of the space, in any case; "" for none
}

// ArchiveRecording is a recording. Its Media is stored. With a Transcript it is completed immediately, and no event is sent; without one,
// its transcription is queued.
type ArchiveRecording struct {
	Recording                         // ID, Title, Language, CreatedAt, PublishedAt (default CreatedAt), EpisodeNumber, SeasonNumber, and Tags
	Transcript *transcript.Transcript // nil to transcribe the media; stored as transcript.TidyUtterances returns it. The recording is at least as long
	Names      map[string]string      // by label of the Transcript: the name or id of a speaker of the space
	Generate   bool                   // generate content from a given Transcript, as for a new recording

	Media       func() (io.ReadCloser, error) // opens the media; required
	ContentType string                        // of the media
}

// Restored has the ids of an Archive's spaces and recordings, in its order.
type Restored struct {
	Spaces     []SpaceID
	Recordings []RecordingID
}

// Restore adds recordings to the caller's account with the transcripts, speakers, and prompts they already have. A program uses it to
// move an archive from elsewhere without transcribing it again. All rows are written in one transaction, or none. No webhook event is
// sent for a recording that has its transcript. Config.Media and Config.Transcriber are required. Errors: CodeInvalid, CodeBadMedia,
// CodeNotFound (the space), CodeConflict (an id belongs to another account), CodeStorageLimit, CodeUnavailable.
func (e *Engine) Restore(ctx context.Context, c Caller, a Archive) (restored Restored, err error) {
	const op = "Restore"
	if err := e.canTranscribe(op); err != nil {
		return restored, err
	}
	p := &restoring{e: e, caller: c, archive: a, stored: map[RecordingID]Recording{}}
	if err = p.prepare(ctx); err == nil {
		err = e.update(ctx, func(tx Tx) error {
			p.done = Restored{}
			return p.write(tx)
		})
	}
	p.removeUnused(context.WithoutCancel(ctx))
	if err != nil {
		return Restored{}, wrap(op, err)
	}
	return p.done, nil
}

// restoring is the state of one call of Restore.
type restoring struct {
	e       *Engine
	caller  Caller
	archive Archive
	stored  map[RecordingID]Recording // the stored media by recording
	done    Restored
}

// prepare gives every recording an ID and stores its media. CodeInvalid if two recordings have the same ID.
func (p *restoring) prepare(ctx context.Context) error {
	known := map[RecordingID]bool{}
	p.archive.Spaces = slices.Clone(p.archive.Spaces)
	for i := range p.archive.Spaces {
		recordings := slices.Clone(p.archive.Spaces[i].Recordings)
		p.archive.Spaces[i].Recordings = recordings
		for n := range recordings {
			r := &recordings[n]
			if r.ID == "" {
				r.ID = RecordingID(p.e.ids.NewID("recording"))
			}
			if known[r.ID] {
				return Errorf(CodeInvalid, "", "Two recordings of the archive have the ID %s.", r.ID).WithHint("Give each recording its own ID.")
			}
			known[r.ID] = true
			if err := p.storeMedia(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *restoring) write(tx Tx) error {
	for _, s := range p.archive.Spaces {
		space, err := p.space(tx, s)
		if err != nil {
			return err
		}
		for _, speaker := range s.Speakers {
			if err := p.speaker(tx, space, speaker); err != nil {
				return err
			}
		}
		for _, prompt := range s.Prompts {
			if err := p.prompt(tx, space, prompt); err != nil {
				return err
			}
		}
		for _, r := range s.Recordings {
			if err := p.recording(tx, space.ID, r); err != nil {
				return err
			}
		}
		p.done.Spaces = append(p.done.Spaces, space.ID)
	}
	return nil
}

// space returns the space to restore into, with its settings changed. It creates the space if necessary.
func (p *restoring) space(tx Tx, s ArchiveSpace) (Space, error) {
	space, err := p.findSpace(tx, s)
	if CodeOf(err) == CodeNotFound {
		fresh := Space{
			ID: s.ID, AccountID: p.caller.AccountID, Name: s.Name, Language: transcript.DefaultLanguage, AutoGenerate: true, CreatedAt: p.e.created("space"),
		}
		if fresh.ID == "" {
			fresh.ID = SpaceID(p.e.ids.NewID("space"))
		}
		space, err = fresh, p.e.createSpace(tx, fresh, p.caller.UserID)
	}
	if err != nil || s.Change == nil {
		return space, err
	}
	if err := s.Change(&space); err != nil {
		return space, err
	}
	if err := space.Validate(); err != nil {
		return space, err
	}
	return space, errors.Join(tx.PutSpace(space), p.e.expireLater(tx, space))
}

func (p *restoring) findSpace(tx ReadTx, s ArchiveSpace) (Space, error) {
	if s.ID == "" && s.Name == "" {
		return memberSpace(tx, p.caller, p.caller.DefaultSpaceID)
	}
	mine, err := tx.SpacesOf(p.caller.UserID)
	if err != nil {
		return Space{}, err
	}
	i := slices.IndexFunc(mine, func(m Space) bool { return m.ID == s.ID || s.ID == "" && m.Name == s.Name })
	if i >= 0 {
		return mine[i], nil
	}
	if s.ID != "" {
		if _, err := tx.Space(s.ID); err == nil {
			return Space{}, Errorf(CodeConflict, "", "The space %s belongs to another account.", s.ID)
		}
	}
	return Space{}, NotFound("", "space")
}

func (p *restoring) speaker(tx Tx, space Space, s ArchiveSpeaker) error {
	s.SpaceID, s.Name, s.CreatedAt = space.ID, strings.TrimSpace(s.Name), p.e.created("speaker")
	there, err := tx.Speakers(space.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(there, func(t Speaker) bool { return t.ID == s.ID || s.ID == "" && t.Name == s.Name })
	switch {
	case i >= 0:
		s.ID, s.CreatedAt, s.AISummary = there[i].ID, there[i].CreatedAt, cmp.Or(s.AISummary, there[i].AISummary)
	case s.ID == "":
		s.ID = SpeakerID(p.e.ids.NewID("speaker"))
	default:
		if _, err := tx.Speaker(s.ID); err == nil {
			return Errorf(CodeConflict, "", "The speaker %s belongs to another space.", s.ID)
		}
	}
	if s.Role != "" {
		role, ok, err := findRole(tx, space.ID, s.Role)
		if err != nil {
			return err
		}
		if !ok {
			return Errorf(CodeInvalid, "", "The space %[2]q has no role %[1]q.", s.Role, space.Name)
		}
		s.RoleID = role.ID
	}
	if err := s.Validate(); err != nil {
		return err
	}
	return tx.PutSpeaker(s.Speaker)
}

func (p *restoring) prompt(tx Tx, space Space, n Prompt) error {
	n.SpaceID, n.Name, n.Type, n.CreatedAt = space.ID, strings.TrimSpace(n.Name), OutputDynamic, p.e.created("prompt")
	there, err := tx.Prompts(space.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(there, func(t Prompt) bool { return t.Custom() && (t.ID == n.ID || n.ID == "" && t.Name == n.Name) })
	switch {
	case i >= 0:
		n.ID, n.CreatedAt = there[i].ID, there[i].CreatedAt
	case n.ID == "":
		n.ID = PromptID(p.e.ids.NewID("prompt"))
	default:
		if _, err := tx.Prompt(n.ID); err == nil {
			return Errorf(CodeConflict, "", "The prompt %s exists and is not a custom prompt of this space.", n.ID)
		}
	}
	if err := n.Validate(); err != nil {
		return err
	}
	return tx.PutPrompt(n)
}

// recording writes a recording, unless it exists.
func (p *restoring) recording(tx Tx, id SpaceID, s ArchiveRecording) error {
	old, err := tx.Recording(s.ID)
	if err == nil {
		if old.SpaceID != id {
			return Errorf(CodeConflict, "", "The recording %s belongs to another space.", s.ID)
		}
		p.done.Recordings = append(p.done.Recordings, s.ID)
		return nil
	}
	if CodeOf(err) != CodeNotFound {
		return err
	}
	if err := checkDeleted(tx, s.ID); err != nil {
		return err
	}
	space, err := activeSpace(tx, p.caller, id)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkDate("", "CreatedAt", &s.CreatedAt), checkDate("", "PublishedAt", s.PublishedAt)); err != nil {
		return err
	}
	r := p.e.newRecording()
	media := p.stored[s.ID]
	r.ID, r.Title, r.BlobKey, r.Size, r.Duration, r.HasVideo = s.ID, s.Title, media.BlobKey, media.Size, media.Duration, media.HasVideo
	r.EpisodeNumber, r.SeasonNumber, r.Tags = s.EpisodeNumber, s.SeasonNumber, s.Tags
	if !s.CreatedAt.IsZero() {
		r.CreatedAt = s.CreatedAt.UTC().Truncate(time.Microsecond)
	}
	created := r.CreatedAt
	r.PublishedAt = cmp.Or(s.PublishedAt, &created)
	account, err := tx.Account(space.AccountID)
	if err != nil {
		return err
	}
	if err := account.reserve(r.Size); err != nil {
		return err
	}
	if err := tx.PutAccount(account); err != nil {
		return err
	}
	p.done.Recordings = append(p.done.Recordings, r.ID)
	n := NewRecording{ObjectID: "restored", Title: r.Title, Language: s.Language, Tags: s.Tags}
	if err := n.Validate(); err != nil {
		return err
	}
	if s.Transcript == nil {
		return p.e.addRecording(tx, p.caller.UserID, &space, &r, n)
	}
	return p.completed(tx, space, r, s)
}

// completed writes a recording with its completed transcript and speakers.
func (p *restoring) completed(tx Tx, space Space, r Recording, s ArchiveRecording) error {
	t := Transcript{Transcript: *s.Transcript}
	r.SpaceID = space.ID
	if err := checkExternalID(tx, r); err != nil {
		return err
	}
	space.LastNumber++
	r.SpaceID, r.Number = space.ID, space.LastNumber
	r.Language = transcript.Language(cmp.Or(string(s.Language), string(transcript.LanguageOfTag(string(t.Language))), string(space.Language)))
	t.ID, t.UserID, t.RecordingID, t.URL, t.Status = r.TranscriptID, p.caller.UserID, r.ID, "", transcriptMachine.Initial()
	t.Language, t.Duration, t.BlobKey, t.CreatedAt, t.UpdatedAt = r.Language, r.Duration, r.BlobKey, r.CreatedAt, r.CreatedAt
	t.Utterances = transcript.TidyUtterances(t.Utterances, t.Duration, t.Language)
	if err := errors.Join(t.apply(TranscriptStarted, &r), t.apply(TranscriptFinished, &r)); err != nil {
		return err
	}
	for _, write := range []func() error{
		func() error { return tx.PutSpace(space) },
		func() error { return tx.PutRecording(r) },
		func() error { return tx.PutTranscript(t) },
		func() error { return indexTitle(tx, r) },
		func() error { return indexTranscript(tx, t) },
		func() error { return p.assign(tx, r, t, s.Names) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	if s.Generate {
		return p.e.generateFor(tx, r)
	}
	return nil
}

// assign assigns labels to speakers of the space.
func (p *restoring) assign(tx Tx, r Recording, t Transcript, names map[string]string) error {
	speakers, err := tx.Speakers(r.SpaceID)
	if err != nil {
		return err
	}
	for _, label := range slices.Sorted(maps.Keys(names)) {
		name := names[label]
		i := slices.IndexFunc(speakers, func(s Speaker) bool { return transcript.Fold(s.Name) == transcript.Fold(name) || string(s.ID) == name })
		if i < 0 {
			return Errorf(CodeInvalid, "", "The space of the recording %[2]q has no speaker %[1]q.", name, r.Title)
		}
		if !slices.Contains(t.Labels(), label) {
			return Errorf(CodeInvalid, "", "The transcript of the recording %q has no label %q.", r.Title, label)
		}
		if err := tx.PutAssignment(Assignment{RecordingID: r.ID, Label: label, SpeakerID: speakers[i].ID}); err != nil {
			return err
		}
	}
	return nil
}
