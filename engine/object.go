package engine

import (
	"cmp"
	"context"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// NewObject describes media that is in Config.Blobs already. Every field has a useful zero value.
type NewObject struct {
	NewRecording          // settings and tags; Title is by default the file's name without its extension; ObjectID must be ""
	Name         string   // of the file; default the last segment of the key
	Size         int64    // bytes that the object must have; 0 for any
	SHA256       [32]byte // that the object must have; zero for any
}

// AddObject adds a recording from media that your program has put in Config.Blobs under a key of its own; see blob.ValidKey. It copies nothing, and counts the
// bytes as storage of the account. The object stays yours: the engine reads it as long as the recording exists, and never changes or
// deletes it. If the space has a recording with the same external id, AddObject returns that one.
//
// AddObject verifies the object's size and SHA-256. It reads the object once if the storage doesn't know the SHA-256. Errors: CodeInvalid
// (the settings, an invalid key, a key of the engine), CodeNotFound (the object or the space), CodeConflict (the space is inactive),
// CodeUnprocessable (the object is empty, or has another size or SHA-256), CodeTooLarge, CodeStorageLimit, CodeUnavailable.
func (e *Engine) AddObject(ctx context.Context, c Caller, key string, n NewObject) (Recording, error) {
	const op = "AddObject"
	a, err := e.newObject(op, c, key, n)
	if err != nil {
		return Recording{}, wrap(op, err)
	}
	first, found, err := a.known(ctx)
	if err != nil || found {
		return first, wrap(op, err)
	}
	info, err := e.verifyObject(ctx, key, n.Size, n.SHA256)
	switch {
	case CodeOf(err) == CodeNotFound:
		err = Errorf(CodeNotFound, op, "The storage has no object %q.", key)
	case err == nil && info.Size == 0:
		err = a.empty()
	case err == nil && info.Size > MaxUploadSize:
		err = a.tooLarge()
	}
	if err != nil {
		return Recording{}, wrap(op, err)
	}
	return a.take(ctx, info)
}

// ownPrefixes begin the keys of the engine's own blobs. The engine deletes only blobs with these prefixes.
var ownPrefixes = []string{"uploads/", "imports/", "transcripts/", "renders/", "restored/"}

// ownKey reports whether a key belongs to a blob that the engine wrote, or had a client write.
func ownKey(key string) bool {
	for _, prefix := range ownPrefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// newObject validates the request.
func (e *Engine) newObject(op string, c Caller, key string, n NewObject) (*addition, error) {
	if err := e.canTranscribe(op); err != nil {
		return nil, err
	}
	a := &addition{e: e, op: op, caller: c, want: NewFile{
		NewRecording: n.NewRecording, Name: input.FileName(cmp.Or(n.Name, path.Base(key))), MaxSize: MaxUploadSize,
	}}
	a.want.SpaceID = SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID)))
	if err := blob.CheckKey(key); err != nil {
		return nil, err
	}
	switch {
	case ownKey(key):
		return nil, Errorf(CodeInvalid, op, "The key %q is reserved for the engine.", key).
			WithHint("Use a prefix of your own, other than " + input.Enumerate(ownPrefixes) + ".")
	case n.ObjectID != "":
		return nil, Errorf(CodeInvalid, op, "ObjectID must be empty.").WithHint("Use CreateRecording for uploads.")
	case n.Size < 0:
		return nil, Errorf(CodeInvalid, op, "Size must not be negative (got %d).", n.Size)
	}
	if err := input.CheckLine(op, "the file's name", a.want.Name); err != nil {
		return nil, err
	}
	return a, n.validateSettings(op)
}

// known returns the recording with the external id, if there is one. It refuses a space to which nothing can be added.
func (a *addition) known(ctx context.Context) (first Recording, found bool, err error) {
	err = a.e.store.View(ctx, func(tx ReadTx) error {
		space, err := activeSpace(tx, a.caller, a.want.SpaceID)
		if err != nil {
			return err
		}
		first, found, err = recordingOf(tx, space.ID, a.want.ExternalID)
		return err
	})
	return first, found, err
}

// take creates the recording of an object, with an upload that describes its bytes.
func (a *addition) take(ctx context.Context, info BlobInfo) (Recording, error) {
	now := a.e.now()
	a.upload = Upload{
		ID: UploadID("obj_" + strings.ReplaceAll(a.e.ids.NewID("upload"), "-", "")), UserID: a.caller.UserID, SpaceID: a.want.SpaceID,
		Filename: a.want.Name, ContentType: cmp.Or(info.ContentType, media.TypeOf(nil, a.want.Name)), Status: uploadMachine.Initial(),
		Size: info.Size, StoredSize: info.Size, BlobKey: info.Key, SHA256: info.SHA256, CreatedAt: now, ExpiresAt: now,
	}
	var first Recording
	found := false
	err := a.e.update(ctx, func(tx Tx) error {
		space, err := activeSpace(tx, a.caller, a.want.SpaceID)
		if err != nil {
			return err
		}
		a.upload.AccountID = space.AccountID
		if first, found, err = recordingOf(tx, space.ID, a.want.ExternalID); err != nil || found {
			return err
		}
		if err := tx.PutUpload(a.upload); err != nil {
			return err
		}
		_, _, err = a.create(tx)
		return err
	})
	switch {
	case err == nil && found:
		return first, nil
	case err == nil || a.committed(ctx):
		return a.made, nil
	}
	return Recording{}, wrap(a.op, err)
}
