package s3

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
)

// mark ends the name of a blob's object. In a URL it is '!', which is a safe character for every store.
const mark = "!"

// metaName is the name of the user metadata, as minio-go returns it.
const metaName = "Soundstage"

// details are what the user metadata of an object say about its blob.
type details struct {
	id          string // of the writer
	contentType string
	stored      time.Time
	sum         [32]byte // SHA-256; zero if it is apart
	apart       bool     // the SHA-256 is in the object sumName
}

func (d details) encode() string {
	v := url.Values{"id": {d.id}, "type": {d.contentType}, "stored": {d.stored.Format(time.RFC3339Nano)}, "sha256": {hex.EncodeToString(d.sum[:])}}
	if d.apart {
		v.Set("sha256", "apart")
	}
	return v.Encode()
}

// parseDetails returns the details of an object that a Writer wrote.
func parseDetails(object minio.ObjectInfo) (d details, ok bool) {
	v, err := url.ParseQuery(object.UserMetadata[metaName])
	if err != nil || v.Get("id") == "" {
		return details{}, false
	}
	d = details{id: v.Get("id"), contentType: v.Get("type"), apart: v.Get("sha256") == "apart"}
	if d.stored, err = time.Parse(time.RFC3339Nano, v.Get("stored")); err != nil {
		return details{}, false
	}
	if d.apart {
		return d, true
	}
	return d, decodeSum(hex.DecodeString, v.Get("sha256"), &d.sum)
}

func decodeSum(decode func(string) ([]byte, error), text string, sum *[32]byte) bool {
	raw, err := decode(text)
	return err == nil && copy(sum[:], raw) == len(sum) && len(raw) == len(sum)
}

func hexSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// name returns the name of a blob's object.
func (b *Blobs) name(key string) string { return b.address.Prefix + key + mark }

// sumName returns the name of the object with the SHA-256 of a blob that was sent in parts by the writer with an id.
func (b *Blobs) sumName(key, id string) string { return b.name(key) + id }

// keyOf returns the key of the blob of an object, or false for an object that is no blob.
func (b *Blobs) keyOf(name string) (key string, ok bool) {
	name, ok = strings.CutPrefix(name, b.address.Prefix)
	key, isBlob := strings.CutSuffix(name, mark)
	return key, ok && isBlob
}

// summary is the content of an object sumName.
type summary struct {
	SHA256 string    `json:"sha256"` // hexadecimal
	Stored time.Time `json:"stored"`
}

// stat asks for an object and describes its blob.
func (b *Blobs) stat(ctx context.Context, key string) (minio.ObjectInfo, engine.BlobInfo, error) {
	object, err := b.client.StatObject(ctx, b.address.Bucket, b.name(key), minio.StatObjectOptions{Checksum: true})
	if err != nil {
		return minio.ObjectInfo{}, engine.BlobInfo{}, failure(ctx, err)
	}
	info, err := b.describe(ctx, key, object)
	return object, info, err
}

// describe returns the description of the blob of an object. Its size is the object's, which is wrong for a range.
func (b *Blobs) describe(ctx context.Context, key string, object minio.ObjectInfo) (engine.BlobInfo, error) {
	info := engine.BlobInfo{Key: key, Size: object.Size, ContentType: object.ContentType, ModTime: object.LastModified.UTC()}
	d, ok := parseDetails(object)
	if !ok {
		if object.ChecksumMode != "COMPOSITE" {
			decodeSum(base64.StdEncoding.DecodeString, object.ChecksumSHA256, &info.SHA256)
		}
		return info, nil
	}
	info.SHA256, info.ContentType, info.ModTime = d.sum, d.contentType, d.stored
	if !d.apart {
		return info, nil
	}
	s, err := b.summary(ctx, key, d.id)
	if engine.CodeOf(err) == engine.CodeNotFound { // somebody deleted or didn't copy it
		return info, nil
	}
	info.ModTime = s.Stored
	decodeSum(hex.DecodeString, s.SHA256, &info.SHA256)
	return info, err
}

func (b *Blobs) summary(ctx context.Context, key, id string) (s summary, err error) {
	body, _, _, err := b.client.GetObject(ctx, b.address.Bucket, b.sumName(key, id), minio.GetObjectOptions{})
	if err != nil {
		return s, failure(ctx, err)
	}
	defer func() { _ = body.Close() }()
	text, err := io.ReadAll(io.LimitReader(body, 1<<10))
	if err != nil {
		return s, failure(ctx, err)
	}
	if json.Unmarshal(text, &s) != nil {
		return s, damaged()
	}
	return s, nil
}
