package engine

import (
	"bytes"
	"context"
	"io"
)

// notebook is the Notes of a transcription. Unlike what a step makes, a note has no generation in its key: the next try is to find
// it, and what a worker that lost its lease writes is as true as what another one would.
type notebook struct {
	e  *Engine
	id TranscriptID
}

func (n notebook) key(name string) string { return transcriptPrefix(n.id) + "notes/" + name }

// Note reads a blob.
func (n notebook) Note(ctx context.Context, name string) ([]byte, error) {
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

// Keep writes a blob.
func (n notebook) Keep(ctx context.Context, name string, note []byte) error {
	_, err := n.e.storeBlob(ctx, n.key(name), BlobMeta{ContentType: "application/octet-stream"}, bytes.NewReader(note))
	return err
}
