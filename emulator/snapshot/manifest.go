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
	// Format is how every manifest begins.
	Format = "soundstage-snapshot"
	// Version is the version that this program writes and reads.
	Version = 1
	// ContentType is what a snapshot is sent as.
	ContentType = "application/zip"
)

// Manifest is what a snapshot says about itself. Write fills in Format, Version, Rows, and the File, Size and SHA256 of each of Blobs.
type Manifest struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Program string            `json:"program"` // version of the program that wrote it
	World   string            `json:"world"`
	Seed    uint64            `json:"seed"`
	Clock   Clock             `json:"clock"`
	IDs     map[string]uint64 `json:"ids"`           // how many ids there were, by kind
	Key     []byte            `json:"key,omitempty"` // signs cursors and addresses; absent where the world's secrets are secret
	Rows    File              `json:"rows"`
	Blobs   []Blob            `json:"blobs"` // by key
}

// Clock is how the clock was set.
type Clock struct {
	Mode string    `json:"mode"`
	Now  time.Time `json:"now"`
	Rate float64   `json:"rate,omitempty"` // of mode scaled
}

// File is a file of the snapshot.
type File struct {
	File   string `json:"file"`   // its name in the zip
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // in hexadecimal digits
}

// Blob is a blob of the world. Blobs of the same bytes may share a file.
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
	maxUnpacked = 8 << 30  // bytes of everything
)

// parseManifest reads a manifest and refuses one that can't be right, as CodeInvalid.
func parseManifest(raw []byte) (Manifest, error) {
	var head struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Format != Format {
		return Manifest{}, invalid("It is no snapshot: its manifest doesn't say that it is one.").Because(err)
	}
	if head.Version > Version {
		return Manifest{}, invalid("The snapshot is of version %d, and this program reads version %d.", head.Version, Version).
			WithHint("Use the version of Soundstage that wrote it, or a newer one.")
	}
	if head.Version != Version {
		return Manifest{}, invalid("There is no version %d of snapshots.", head.Version)
	}
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, invalid("The snapshot's manifest is not what one should be.").Because(err).
			WithHint("The file was changed, or another program wrote it.")
	}
	return m, m.check()
}

// check refuses names, lengths and hashes that no snapshot has.
func (m *Manifest) check() error {
	if m.Rows.File != rowsName {
		return invalid("The snapshot's rows are not in %s.", rowsName)
	}
	if m.Rows.Size > maxRows {
		return tooLarge("The snapshot has more than %d bytes of rows.", maxRows)
	}
	if len(m.Key) != 0 && len(m.Key) != 32 {
		return invalid("The snapshot's key has %d bytes, and must have 32.", len(m.Key))
	}
	if err := m.Rows.check(); err != nil {
		return err
	}
	unpacked, before := m.Rows.Size, ""
	for i, b := range m.Blobs {
		if err := blob.CheckKey(b.Key); err != nil {
			return invalid("%.100q is not the key of a blob.", b.Key).Because(err)
		}
		if i > 0 && b.Key <= before {
			return invalid("The blob %.100q is in the snapshot twice, or is not in order.", b.Key)
		}
		if path.Dir(b.File.File) != blobsFolder || path.Clean(b.File.File) != b.File.File {
			return invalid("%.100q is not the name of a blob's file.", b.File.File)
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
		return invalid("The length or the hash of the snapshot's file %.100q can't be right.", f.File)
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
	return invalid("The snapshot is damaged: its file %.100q is not what the manifest says.", name).Because(cause).
		WithHint("Save it again; the file was changed, or not copied well.")
}
