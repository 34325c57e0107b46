package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/emulator/snapshot"
	"github.com/soundstage-dev/soundstage/engine"
)

// rendersFile is the name of the file in a data folder that has the defaults of renders.
const rendersFile = "renders.json"

// maxRendersFile is the most bytes of that file: more than a style with every file in it, in base64.
const maxRendersFile = 32 << 20

// resumeRenders sets the defaults of renders to those of the data folder. What the options set replaces them, and stays.
func (w *world) resumeRenders(dir string) error {
	stored, err := readRenders(dir)
	if err != nil {
		return err
	}
	set, d := w.spec.renders, stored
	if set.Style != "" || set.Look != nil {
		d.Style, d.Look = set.Style, set.Look
	}
	d.Target = cmp.Or(set.Target, d.Target)
	w.dir = dir
	w.renders.Store(&d)
	if d == stored {
		return nil
	}
	return writeRenders(dir, d)
}

// readRenders returns the defaults of renders in a data folder; the zero value if there are none. CodeUnavailable for a damaged file.
func readRenders(dir string) (RenderDefaults, error) {
	path := filepath.Join(dir, rendersFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return RenderDefaults{}, nil
	}
	if err == nil && info.Size() > maxRendersFile {
		err = fmt.Errorf("it has %d bytes", info.Size())
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	var s snapshot.Renders
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	var d *RenderDefaults
	if err == nil {
		d, err = rendersOf(&s)
	}
	if err != nil {
		return RenderDefaults{}, engine.Errorf(engine.CodeUnavailable, "Open", "The style of renders in %s can't be read.", path).
			WithHint("Restore the file from a backup, or delete it: renders then have their own styles.").Because(err)
	}
	return *d, nil
}

// writeRenders durably writes the defaults of renders to a data folder.
func writeRenders(dir string, d RenderDefaults) error {
	s, err := snapshotRenders(&d)
	if err != nil {
		return err
	}
	if s == nil {
		s = &snapshot.Renders{}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := writeDurably(dir, rendersFile, b); err != nil {
		return folderError(dir, err)
	}
	return nil
}
