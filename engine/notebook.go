package engine

import (
	"bytes"
	"context"
	"io"
)

// notebook stores the Checkpoints of a transcription. Their keys have no generation, because the next attempt must find them. A checkpoint
// of a worker that lost its lease is as good as any other.
type notebook struct {
	e  *Engine
	id TranscriptID
}

func (n notebook) key(name string) string { return transcriptPrefix(n.id) + "notes/" + name }

// Load returns a checkpoint, or nil.
func (n notebook) Load(ctx context.Context, name string) ([]byte, error) {
	body, err := n.e.blobs.Open(ctx, n.key(name), 0, -1)
	if CodeOf(err) == CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	return io.ReadAll(body)
}

// Save saves a checkpoint.
func (n notebook) Save(ctx context.Context, name string, note []byte) error {
	if _, err := n.e.storeBlob(ctx, n.key(name), BlobMeta{ContentType: "application/octet-stream"}, bytes.NewReader(note)); err != nil {
		return err
	}
	return n.e.keepTranscriptBlob(ctx, n.key(name), n.id)
}
