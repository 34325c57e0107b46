package files

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// record is what stands in a blob's metadata file.
type record struct {
	Version     string    `json:"version"` // of the data that counts
	Size        int64     `json:"size"`
	SHA256      string    `json:"sha256"` // hexadecimal
	ContentType string    `json:"content_type"`
	Stored      time.Time `json:"stored"`
}

func (r record) info(key string) engine.BlobInfo {
	info := engine.BlobInfo{Key: key, Size: r.Size, ContentType: r.ContentType, ModTime: r.Stored}
	_, _ = hex.Decode(info.SHA256[:], []byte(r.SHA256)) // readRecord has checked it
	return info
}

// readRecord fails with fs.ErrNotExist when there is no such blob.
func (b *Blobs) readRecord(key string) (record, error) {
	var r record
	text, err := os.ReadFile(b.metaPath(key))
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(text, &r)
	sum, hexErr := hex.DecodeString(r.SHA256)
	if err != nil || hexErr != nil || len(sum) != 32 || !blob.ValidKey(r.Version) || strings.Contains(r.Version, "/") {
		return record{}, fmt.Errorf("files: %s is damaged", b.metaPath(key))
	}
	return r, nil
}

// open opens the data that counts. It may be exchanged between the look at the record and the open; then the record is
// another one by now. A record without data is no blob.
func (b *Blobs) open(key string) (*os.File, record, error) {
	for tried := ""; ; {
		r, err := b.readRecord(key)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && r.Version == tried) {
			return nil, record{}, engine.NotFound("", "blob")
		}
		if err != nil {
			return nil, record{}, failure(err)
		}
		file, err := os.Open(b.dataPath(key, r.Version))
		if errors.Is(err, fs.ErrNotExist) {
			tried = r.Version
			continue
		}
		if err != nil {
			return nil, record{}, failure(err)
		}
		if err := checkSize(file, r.Size); err != nil {
			_ = file.Close()
			return nil, record{}, failure(err)
		}
		return file, r, nil
	}
}

func checkSize(file *os.File, want int64) error {
	info, err := file.Stat()
	if err == nil && info.Size() != want {
		err = fmt.Errorf("files: %s is damaged: it has %d bytes, but had %d", file.Name(), info.Size(), want)
	}
	return err
}

// publish makes durable data count, by one rename, and removes the data that counted before. After an error it doesn't
// count; if the folder could not be made durable, neither does what was before.
func (b *Blobs) publish(key string, r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	temp := b.dataPath(key, r.Version) + tempSuffix
	if err := b.writeFile(temp, text); err != nil {
		_ = os.Remove(temp)
		return err
	}
	b.metas.Lock()
	old, oldErr := b.readRecord(key)
	err = os.Rename(temp, b.metaPath(key))
	b.metas.Unlock()
	if err != nil {
		_ = os.Remove(temp)
		return err
	}
	// Where the folder is gone, somebody has deleted the blob since it counted, and that is durable.
	if err := b.syncFolderOf(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.withdraw(key, r.Version)
		return err
	}
	if oldErr == nil {
		_ = os.Remove(b.dataPath(key, old.Version)) // else the next New does
	}
	return nil
}

// withdraw makes a version count no more, if it is still the one that does.
func (b *Blobs) withdraw(key, version string) {
	b.metas.Lock()
	defer b.metas.Unlock()
	if r, err := b.readRecord(key); err == nil && r.Version == version {
		_ = os.Remove(b.metaPath(key))
	}
}

// unpublish removes a blob, first from what counts, then from the disk.
func (b *Blobs) unpublish(key string) error {
	b.metas.Lock()
	old, oldErr := b.readRecord(key)
	err := os.Remove(b.metaPath(key))
	b.metas.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = b.syncFolderOf(key)
	}
	if err == nil && oldErr == nil {
		err = os.Remove(b.dataPath(key, old.Version))
	}
	b.prune(b.path(key))
	if errors.Is(err, fs.ErrNotExist) { // somebody else has removed it
		return nil
	}
	return err
}
