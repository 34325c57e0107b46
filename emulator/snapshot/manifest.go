package snapshot

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

const (
	// Format identifies a snapshot's manifest.
	Format = "soundstage-snapshot"
	// Version is the version that this package writes and reads.
	Version = 1
	// ContentType is the media type of a snapshot.
	ContentType = "application/zip"
)

// Manifest describes a snapshot. NewWriter sets Format, Version, Rows, and the File of each blob.
type Manifest struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Program string            `json:"program"` // version of the program that wrote the snapshot
	World   string            `json:"world"`
	Seed    uint64            `json:"seed"`
	Clock   Clock             `json:"clock"`
	IDs     map[string]uint64 `json:"ids"`               // number of ids issued, by kind
	Key     []byte            `json:"key,omitempty"`     // signs cursors and URLs; absent when the world's secrets are random
	Renders *Renders          `json:"renders,omitempty"` // style and target of renders; absent for none
	Rows    File              `json:"rows"`
	Blobs   []Blob            `json:"blobs"` // ordered by key
}

// Clock is the state of the world's clock.
type Clock struct {
	Mode string    `json:"mode"`
	Now  time.Time `json:"now"`
	Rate float64   `json:"rate,omitempty"` // for mode scaled
}

// Renders are the style and the target of the world's renders.
type Renders struct {
	Style  string          `json:"style,omitempty"` // by name
	Look   json.RawMessage `json:"look,omitempty"`  // as data
	Target string          `json:"target,omitempty"`
}

// File describes a file in the zip.
type File struct {
	File   string `json:"file"`   // name in the zip
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // hexadecimal
}

// Blob describes a blob of the world. Blobs with the same bytes share a file.
type Blob struct {
	Key         string    `json:"key"`
	ContentType string    `json:"content_type"`
	ModTime     time.Time `json:"mod_time"`
	File
}

const (
	manifestName = "manifest.json"
	rowsName     = "rows.jsonl"
	blobsFolder  = "blobs"

	maxManifest = 64 << 20 // bytes
	maxRows     = 1 << 30  // bytes
	maxUnpacked = 8 << 30  // bytes of rows and blobs
)

// parseManifest reads and checks a manifest. It returns CodeInvalid for an invalid one.
func parseManifest(raw []byte) (Manifest, error) {
	var head struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Format != Format {
		return Manifest{}, invalid("The file is not a snapshot: its manifest has another format.").Because(err)
	}
	if head.Version > Version {
		return Manifest{}, invalid("The snapshot has version %d, but this program reads version %d.", head.Version, Version).
			WithHint("Use the version of Soundstage that wrote it, or a later one.")
	}
	if head.Version != Version {
		return Manifest{}, invalid("%d is not a valid snapshot version.", head.Version)
	}
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, invalid("The snapshot's manifest is invalid.").Because(err).
			WithHint("The file was modified, or another program wrote it.")
	}
	return m, m.check()
}

// check validates names, lengths, and hashes.
func (m *Manifest) check() error {
	if m.Rows.File != rowsName {
		return invalid("The snapshot's rows must be in %s.", rowsName)
	}
	if m.Rows.Size > maxRows {
		return tooLarge("The snapshot has more than %d bytes of rows.", maxRows)
	}
	if len(m.Key) != 0 && len(m.Key) != 32 {
		return invalid("The snapshot's key must have 32 bytes (got %d).", len(m.Key))
	}
	if err := m.Rows.check(); err != nil {
		return err
	}
	unpacked, before := m.Rows.Size, ""
	for i, b := range m.Blobs {
		if err := blob.CheckKey(b.Key); err != nil {
			return invalid("%.100q is not a valid blob key.", b.Key).Because(err)
		}
		if i > 0 && b.Key <= before {
			return invalid("The blob %.100q is a duplicate, or is out of order.", b.Key)
		}
		if path.Dir(b.File.File) != blobsFolder || path.Clean(b.File.File) != b.File.File {
			return invalid("%.100q is not a valid name of a blob file.", b.File.File)
		}
		if err := b.check(); err != nil {
			return err
		}
		before = b.Key
		if unpacked += b.Size; unpacked > maxUnpacked {
			return tooLarge("The snapshot unpacks to more than %d bytes.", maxUnpacked)
		}
	}
	return nil
}

func (f File) check() error {
	if hash, err := hex.DecodeString(f.SHA256); err != nil || len(hash) != 32 || f.Size < 0 || f.Size > maxUnpacked {
		return invalid("The snapshot's file %.100q has an invalid length or hash.", f.File)
	}
	return nil
}

const op = "snapshot"

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, "%s", fmt.Sprintf(format, args...))
}

func tooLarge(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeTooLarge, op, "%s", fmt.Sprintf(format, args...))
}

func damaged(name string, cause error) *engine.Error {
	return invalid("The snapshot is damaged: its file %.100q does not match the manifest.", name).Because(cause).
		WithHint("Save the snapshot again: the file was modified, or the copy failed.")
}
