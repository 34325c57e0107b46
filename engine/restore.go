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

// Archive is what Restore brings into an account: spaces with their speakers, prompts and recordings, as another program or an
// earlier installation had them. Ids that are "" are made by Config.IDs. What is there already is not made again: a space, speaker or
// prompt of the same id or else the same name gets what the archive says of it; a recording of the same id stays as it is.
type Archive struct {
	Spaces []ArchiveSpace
}

// ArchiveSpace is a space with what is in it.
type ArchiveSpace struct {
	ID         SpaceID
	Name       string             // of a new space, and by which a space without ID is known; "" with no ID is the caller's default space
	Change     func(*Space) error // settings; may be nil, and may be run again
	Speakers   []ArchiveSpeaker
	Prompts    []Prompt // custom ones, without SpaceID and Type
	Recordings []ArchiveRecording
}

// ArchiveSpeaker is a speaker of a space.
type ArchiveSpeaker struct {
	Speaker        // without SpaceID and RoleID
	Role    string // name of a role of the space, whatever its case; "" for none
}

// ArchiveRecording is a recording. Its Media is stored; with a Transcript it is completed at once and nothing is told of it; without
// one its transcription is queued.
type ArchiveRecording struct {
	Recording                         // ID, Title, Language, CreatedAt, PublishedAt, EpisodeNumber and SeasonNumber
	Transcript *transcript.Transcript // what was said; nil to have it made
	Names      map[string]string      // names or ids of speakers of the space, by the label of the Transcript that is theirs
	Generate   bool                   // whether content is generated of a given Transcript, as for a new recording

	Media       func() (io.ReadCloser, error) // opens the media; required
	ContentType string                        // of the media
}

// Restored says what an Archive has made, in its order.
type Restored struct {
	Spaces     []SpaceID
	Recordings []RecordingID
}

// Restore brings recordings with the transcripts, speakers and prompts that they already have into the caller's account: a program uses
// it to move an archive from elsewhere without transcribing it again. All of it is written in one transaction, or nothing. Nothing is
// told to webhooks of a recording that comes with its transcript. Config.Media and Config.Transcriber are required. Errors:
// CodeInvalid, CodeBadMedia, CodeNotFound (the space), CodeConflict (an id is somebody else's), CodeStorageLimit, CodeUnavailable.
func (e *Engine) Restore(ctx context.Context, c Caller, a Archive) (restored Restored, err error) {
	const op = "Restore"
	if e.media == nil || e.transcriber == nil {
		return restored, Errorf(CodeUnavailable, op, "Transcription is not configured.").WithHint("Set Config.Transcriber and Config.Media.")
	}
	p := &restoring{e: e, caller: c, archive: a, stored: map[RecordingID]Recording{}}
	if err = p.prepare(ctx); err == nil {
		err = e.update(ctx, func(tx Tx) error {
			p.done = Restored{}
			return p.write(tx)
		})
	}
	p.tidy(ctx, err != nil)
	if err != nil {
		return Restored{}, wrap(op, err)
	}
	return p.done, nil
}

// restoring is one call of Restore.
type restoring struct {
	e       *Engine
	caller  Caller
	archive Archive
	stored  map[RecordingID]Recording // what is known of the media, by the recording that it was stored for
	kept    []RecordingID             // that were there already
	done    Restored
}

func restorePrefix(id RecordingID) string { return "seeds/" + string(id) + "/" }

// prepare gives every recording its id and stores its media.
func (p *restoring) prepare(ctx context.Context) error {
	p.archive.Spaces = slices.Clone(p.archive.Spaces)
	for i := range p.archive.Spaces {
		recordings := slices.Clone(p.archive.Spaces[i].Recordings)
		p.archive.Spaces[i].Recordings = recordings
		for n := range recordings {
			r := &recordings[n]
			if r.ID == "" {
				r.ID = RecordingID(p.e.ids.NewID("recording"))
			}
			if err := p.store(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// store stores the media of a recording, unless there is such a recording.
func (p *restoring) store(ctx context.Context, s *ArchiveRecording) error {
	err := p.e.store.View(ctx, func(tx ReadTx) error {
		_, err := tx.Recording(s.ID)
		return err
	})
	if CodeOf(err) != CodeNotFound {
		return err
	}
	body, err := s.Media()
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	key := restorePrefix(s.ID) + p.e.ids.NewID("blob")
	blob, err := p.e.storeBlob(ctx, key, BlobMeta{ContentType: s.ContentType, MaxSize: MaxUploadSize}, body)
	if err != nil {
		return err
	}
	p.stored[s.ID] = Recording{BlobKey: key, Size: blob.Size}
	if s.Transcript == nil {
		return nil // its transcription looks into the media
	}
	src, err := p.e.source(ctx, key)
	if err != nil {
		return err
	}
	info, err := p.e.media.Probe(ctx, src)
	if err != nil {
		return err
	}
	p.stored[s.ID] = Recording{
		BlobKey: key, Size: blob.Size, HasVideo: info.Video != nil, Duration: max(info.Duration, s.Transcript.Duration).Round(time.Millisecond),
	}
	return nil
}

// tidy removes the media that no recording has.
func (p *restoring) tidy(ctx context.Context, all bool) {
	for id, r := range p.stored {
		if all || slices.Contains(p.kept, id) {
			p.e.deleteBlob(ctx, r.BlobKey)
		}
	}
}

func (p *restoring) write(tx Tx) error {
	p.kept = nil
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

// space finds or makes a space and gives it its settings.
func (p *restoring) space(tx Tx, s ArchiveSpace) (Space, error) {
	space, err := p.findSpace(tx, s)
	if CodeOf(err) == CodeNotFound {
		fresh := Space{
			ID: s.ID, AccountID: p.caller.AccountID, Name: s.Name, Language: transcript.DefaultLanguage, AutoGenerate: true, CreatedAt: p.e.now(),
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
	return space, tx.PutSpace(space)
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
			return Space{}, Errorf(CodeConflict, "", "The space %s is somebody else's.", s.ID)
		}
	}
	return Space{}, NotFound("", "space")
}

func (p *restoring) speaker(tx Tx, space Space, s ArchiveSpeaker) error {
	s.SpaceID, s.Name, s.CreatedAt = space.ID, strings.TrimSpace(s.Name), p.e.now()
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
			return Errorf(CodeConflict, "", "The speaker %s is of another space.", s.ID)
		}
	}
	if s.Role != "" {
		roles, err := tx.Roles(space.ID)
		if err != nil {
			return err
		}
		r := slices.IndexFunc(roles, func(r Role) bool { return transcript.Fold(r.Name) == transcript.Fold(strings.TrimSpace(s.Role)) })
		if r < 0 {
			return Errorf(CodeInvalid, "", "There is no role %q in the space %q.", s.Role, space.Name)
		}
		s.RoleID = roles[r].ID
	}
	if err := s.Validate(); err != nil {
		return err
	}
	return tx.PutSpeaker(s.Speaker)
}

func (p *restoring) prompt(tx Tx, space Space, n Prompt) error {
	n.SpaceID, n.Name, n.Type, n.CreatedAt = space.ID, strings.TrimSpace(n.Name), OutputDynamic, p.e.now()
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
			return Errorf(CodeConflict, "", "The prompt %s is another one.", n.ID)
		}
	}
	if err := n.Validate(); err != nil {
		return err
	}
	return tx.PutPrompt(n)
}

// recording writes a recording, unless it is there already.
func (p *restoring) recording(tx Tx, id SpaceID, s ArchiveRecording) error {
	old, err := tx.Recording(s.ID)
	if err == nil {
		if old.SpaceID != id {
			return Errorf(CodeConflict, "", "The recording %s is of another space.", s.ID)
		}
		p.kept = append(p.kept, s.ID)
		p.done.Recordings = append(p.done.Recordings, s.ID)
		return nil
	}
	if CodeOf(err) != CodeNotFound {
		return err
	}
	space, err := openSpace(tx, p.caller, id)
	if err != nil {
		return err
	}
	r := p.e.blankRecording()
	media := p.stored[s.ID]
	r.ID, r.Title, r.BlobKey, r.Size, r.Duration, r.HasVideo = s.ID, s.Title, media.BlobKey, media.Size, media.Duration, media.HasVideo
	r.PublishedAt, r.EpisodeNumber, r.SeasonNumber = s.PublishedAt, s.EpisodeNumber, s.SeasonNumber
	if !s.CreatedAt.IsZero() {
		r.CreatedAt = s.CreatedAt.UTC().Truncate(time.Microsecond)
	}
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
	n := NewRecording{ObjectID: "seed", Title: r.Title, Language: s.Language}
	if err := n.Validate(); err != nil {
		return err
	}
	if s.Transcript == nil {
		return p.e.addRecording(tx, p.caller.UserID, &space, &r, n)
	}
	return p.transcribed(tx, space, r, s)
}

// transcribed writes a recording with its completed transcript and who speaks in it.
func (p *restoring) transcribed(tx Tx, space Space, r Recording, s ArchiveRecording) error {
	t := Transcript{Transcript: *s.Transcript}
	space.LastNumber++
	r.SpaceID, r.Number = space.ID, space.LastNumber
	r.Language = transcript.Language(cmp.Or(string(s.Language), string(t.Language), string(space.Language)))
	t.ID, t.UserID, t.RecordingID, t.URL, t.Status = r.TranscriptID, p.caller.UserID, r.ID, "", transcriptMachine.Initial()
	t.Language, t.Duration, t.BlobKey, t.CreatedAt, t.UpdatedAt = r.Language, r.Duration, r.BlobKey, r.CreatedAt, r.CreatedAt
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

// assign gives labels to speakers of the space by their names.
func (p *restoring) assign(tx Tx, r Recording, t Transcript, names map[string]string) error {
	speakers, err := tx.Speakers(r.SpaceID)
	if err != nil {
		return err
	}
	for _, label := range slices.Sorted(maps.Keys(names)) {
		name := names[label]
		i := slices.IndexFunc(speakers, func(s Speaker) bool { return transcript.Fold(s.Name) == transcript.Fold(name) || string(s.ID) == name })
		if i < 0 {
			return Errorf(CodeInvalid, "", "There is no speaker %q in the space of the recording %q.", name, r.Title)
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
