package capsule

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes the capsule to path atomically, readable only by its owner. Errors come from the file system.
func (c Capsule) WriteFile(path string) error {
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".soundstage-capsule-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(raw, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
