package files

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// record is the content of a blob's metadata file.
type record struct {
	Version     string    `json:"version"` // of the current data
	Size        int64     `json:"size"`
	SHA256      string    `json:"sha256"` // hexadecimal
	ContentType string    `json:"content_type"`
	Stored      time.Time `json:"stored"`
	Check       string    `json:"check,omitempty"` // checksum of the other fields; "" in old records
}

// checksum returns the CRC-32C of the record's fields as hexadecimal text.
func (r record) checksum() string {
	fields := fmt.Sprintf("%q %d %q %q %d", r.Version, r.Size, r.SHA256, r.ContentType, r.Stored.UnixMicro())
	return fmt.Sprintf("%08x", crc32.Checksum([]byte(fields), crc32.MakeTable(crc32.Castagnoli)))
}

func (r record) info(key string) engine.BlobInfo {
	info := engine.BlobInfo{Key: key, Size: r.Size, ContentType: r.ContentType, ModTime: r.Stored}
	_, _ = hex.Decode(info.SHA256[:], []byte(r.SHA256)) // validated by readRecord
	return info
}

// readRecord returns the record of a blob, or fs.ErrNotExist.
func (b *Blobs) readRecord(key string) (record, error) {
	var r record
	text, err := readFile(b.metaPath(key))
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(text, &r)
	sum, hexErr := hex.DecodeString(r.SHA256)
	if err != nil || hexErr != nil || len(sum) != 32 || !blob.ValidKey(r.Version) || strings.Contains(r.Version, "/") ||
		r.Check != "" && r.Check != r.checksum() {
		return record{}, b.damagedRecord(key)
	}
	return r, nil
}

// damagedRecord returns the error for a record that can't be read, and remembers it.
func (b *Blobs) damagedRecord(key string) error {
	err := &damagedError{b.metaPath(key) + " is damaged"}
	if state, statErr := os.Stat(b.metaPath(key)); statErr == nil {
		b.verifier.remember(b.metaPath(key), verdict{key, state, failure(err)})
	}
	return err
}

// open opens the current data. If the record was replaced after it was read, open retries with the new one. A record
// without data is not a blob.
func (b *Blobs) open(key string) (*os.File, record, error) {
	for tried := ""; ; {
		r, err := b.readRecord(key)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && r.Version == tried) {
			return nil, record{}, engine.NotFound("", "blob")
		}
		if err != nil {
			return nil, record{}, failure(err)
		}
		file, err := openFile(b.dataPath(key, r.Version))
		if errors.Is(err, fs.ErrNotExist) {
			tried = r.Version
			continue
		}
		if err != nil {
			return nil, record{}, failure(err)
		}
		if err := b.checkSize(key, file, r.Size); err != nil {
			_ = file.Close()
			return nil, record{}, failure(err)
		}
		return file, r, nil
	}
}

func (b *Blobs) checkSize(key string, file *os.File, want int64) error {
	info, err := file.Stat()
	if err == nil && info.Size() != want {
		err = &damagedError{fmt.Sprintf("%s is damaged: it has %d bytes, want %d", file.Name(), info.Size(), want)}
		b.verifier.remember(file.Name(), verdict{key, info, failure(err)})
	}
	return err
}

// openVerified opens the current data and compares it with its SHA-256, unless that was done before.
func (b *Blobs) openVerified(ctx context.Context, key string) (*os.File, engine.BlobInfo, error) {
	file, r, err := b.open(key)
	if err != nil {
		return nil, engine.BlobInfo{}, err
	}
	info := r.info(key)
	if err := b.verifier.Verify(ctx, key, file, info.SHA256); err != nil {
		_ = file.Close()
		return nil, engine.BlobInfo{}, err
	}
	return file, info, nil
}

// publish makes durable data current, by one rename, and removes the previous data. If once, it returns CodeConflict instead of replacing
// data. After an error, the new data is not current; if the folder could not be made durable, neither is the previous data.
func (b *Blobs) publish(key string, r record, once bool) error {
	r.Check = r.checksum()
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	temp := b.dataPath(key, r.Version) + tempSuffix
	if err := b.writeFile(temp, text); err != nil {
		_ = removeFile(temp)
		return err
	}
	old, err := b.replaceRecord(key, temp, once)
	if err != nil {
		_ = removeFile(temp)
		return err
	}
	// If the folder is gone, the blob was deleted after it was published, and the deletion is durable.
	if err := b.syncFolderOf(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.withdraw(key, r.Version)
		return err
	}
	if old.Version != "" {
		_ = removeFile(b.dataPath(key, old.Version)) // if this fails, the next New removes it
	}
	return nil
}

// replaceRecord makes the record in the file temp the current one, and returns the previous one, which is zero if there was none that can
// be read. If once, a record that exists is CodeConflict, also if another process writes it now.
func (b *Blobs) replaceRecord(key, temp string, once bool) (record, error) {
	b.metaMu.Lock()
	defer b.metaMu.Unlock()
	if !once {
		old, err := b.readRecord(key)
		if err != nil {
			old = record{}
		}
		return old, renameFile(temp, b.metaPath(key))
	}
	err := os.Link(temp, b.metaPath(key)) // unlike Rename, Link never replaces a file
	if _, statErr := os.Stat(b.metaPath(key)); err != nil && errors.Is(statErr, fs.ErrNotExist) {
		return record{}, renameFile(temp, b.metaPath(key)) // a file system without hard links
	}
	if err != nil {
		return record{}, engine.Errorf(engine.CodeConflict, "", "The key %q has a blob already.", key).Because(err)
	}
	_ = removeFile(temp) // if this fails, the next New removes it
	return record{}, nil
}

// withdraw unpublishes a version if it is still current.
func (b *Blobs) withdraw(key, version string) {
	b.metaMu.Lock()
	defer b.metaMu.Unlock()
	if r, err := b.readRecord(key); err == nil && r.Version == version {
		_ = removeFile(b.metaPath(key))
	}
}

// unpublish removes a blob: its record first, then its data.
func (b *Blobs) unpublish(key string) error {
	b.metaMu.Lock()
	old, oldErr := b.readRecord(key)
	err := removeFile(b.metaPath(key))
	b.metaMu.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = b.syncFolderOf(key)
	}
	if err == nil && oldErr == nil {
		err = removeFile(b.dataPath(key, old.Version))
	}
	b.prune(b.path(key))
	if errors.Is(err, fs.ErrNotExist) { // already removed
		return nil
	}
	return err
}
