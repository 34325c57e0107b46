package record

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	// Format identifies the folder.
	Format = "soundstage-recording"
	// Version is the version that this package writes and reads.
	Version = 1

	manifestFile  = "recording.json"
	exchangesFile = "exchanges.jsonl"
	op            = "record"
)

// Manifest describes a folder of exchanges.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // version of the program that began it
	To      string    `json:"to"`      // address of the service
	Started time.Time `json:"started"`
}

// readManifest reads a folder's manifest. CodeNotFound when there is none, CodeInvalid for another format or version.
func readManifest(dir string) (Manifest, error) {
	raw, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, engine.Errorf(engine.CodeNotFound, op, "%s has no recorded exchanges: it has no %s.", dir, manifestFile).
			WithHint("Record with `soundstage proxy --to URL --record DIR`.")
	}
	if err != nil {
		return Manifest{}, engine.Errorf(engine.CodeUnavailable, op, "The folder %s can't be read.", dir).
			WithHint("Check the path and its permissions.").Because(err)
	}
	var m Manifest
	if err := json.Unmarshal(raw, &m); err != nil || m.Format != Format {
		return Manifest{}, engine.Errorf(engine.CodeInvalid, op, "%s is not the manifest of recorded exchanges, or it is damaged.", filepath.Join(dir, manifestFile)).
			WithHint("Record again in another folder.").Because(err)
	}
	if m.Version != Version {
		return Manifest{}, engine.Errorf(engine.CodeInvalid, op, "The recording in %s has version %d, but this program reads version %d.", dir, m.Version, Version).
			WithHint("Use the version of Soundstage that wrote it, or record again in another folder.")
	}
	return m, nil
}

// writeManifest writes the manifest atomically.
func writeManifest(dir string, m Manifest) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".recording-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(raw, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dir, manifestFile))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
