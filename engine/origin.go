package engine

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// Origin is where a piece of media came from, as the user knows it.
type Origin struct {
	RecordingID RecordingID // "" for a URL's transcript
	Filename    string      // of the upload, or the last part of the URL's path; "" without one
	URL         string      // of a transcription or an import; "" for an upload
	Title       string      // of the recording; "" for a URL's transcript
	SHA256      [32]byte    // of the bytes; zero until they are stored
}

// OriginOf returns the origin of a transcript's media. It knows the SHA256 only of uploads. Errors: those of the store.
func OriginOf(tx ReadTx, t Transcript) (Origin, error) {
	if t.RecordingID == "" {
		return Origin{URL: t.URL, Filename: input.URLFile(t.URL)}, nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return Origin{}, err
	}
	o := Origin{RecordingID: r.ID, Title: r.Title}
	if r.UploadID != "" {
		u, err := tx.Upload(r.UploadID)
		o.Filename, o.SHA256 = u.Filename, u.SHA256
		return o, err
	}
	if r.ImportID != "" {
		i, err := tx.Import(r.ImportID)
		o.URL, o.Filename = i.URL, input.URLFile(i.URL)
		return o, err
	}
	return o, nil
}

// origin is OriginOf with the SHA256 of the media.
func (e *Engine) origin(ctx context.Context, t Transcript) (o Origin, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		o, err = OriginOf(tx, t)
		return err
	})
	if err != nil {
		return Origin{}, err
	}
	info, err := e.blobs.Stat(ctx, t.BlobKey)
	o.SHA256 = info.SHA256
	return o, err
}
