package s3

import (
	"context"
	"encoding/base64"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// maxPut is the largest object that S3 takes in one request, in bytes.
const maxPut = 5 << 30

// PresignPut returns a request that stores one blob. Its signature fixes the length, the content type, and the checksum if it is known,
// and If-None-Match lets the store refuse a second one, unless it is Replaceable. CodeTooLarge for more than 5 GiB, which a Writer sends in parts.
func (b *Blobs) PresignPut(ctx context.Context, key string, put engine.BlobPut) (engine.Address, error) {
	if err := check(ctx, key); err != nil {
		return engine.Address{}, err
	}
	if err := put.Check(); err != nil {
		return engine.Address{}, err
	}
	if put.Size > maxPut {
		return engine.Address{}, engine.Errorf(engine.CodeTooLarge, "", "The object store takes up to 5 GiB in one request (got %d bytes).", put.Size)
	}
	if !plain(put.ContentType) {
		return engine.Address{}, engine.Errorf(engine.CodeInvalid, "", "%q can't be a content type.", put.ContentType)
	}
	header := map[string]string{"Content-Type": put.ContentType}
	if !put.Replaceable {
		header["If-None-Match"] = "*"
	}
	if put.SHA256 != [32]byte{} {
		header["X-Amz-Checksum-Sha256"] = base64.StdEncoding.EncodeToString(put.SHA256[:])
	}
	signed := http.Header{"Content-Length": {strconv.FormatInt(put.Size, 10)}}
	for name, value := range header {
		signed.Set(name, value)
	}
	u, err := b.client.PresignHeader(ctx, http.MethodPut, b.address.Bucket, b.name(key), expiry(put.TTL), nil, signed)
	if err != nil {
		return engine.Address{}, failure(ctx, err)
	}
	return engine.Address{Method: http.MethodPut, URL: u.String(), Header: header}, nil
}

// PresignGet returns the address of a blob. Only sound, pictures, and videos are shown by a browser; anything else is saved.
func (b *Blobs) PresignGet(ctx context.Context, key string, get engine.BlobGet) (engine.Address, error) {
	if err := check(ctx, key); err != nil {
		return engine.Address{}, err
	}
	if err := get.Check(); err != nil {
		return engine.Address{}, err
	}
	query := url.Values{}
	if get.ContentType != "" {
		query.Set("response-content-type", get.ContentType)
	}
	if disposition := disposition(get); disposition != "" {
		query.Set("response-content-disposition", disposition)
	}
	u, err := b.client.Presign(ctx, http.MethodGet, b.address.Bucket, b.name(key), expiry(get.TTL), query)
	if err != nil {
		return engine.Address{}, failure(ctx, err)
	}
	return engine.Address{Method: http.MethodGet, URL: u.String()}, nil
}

// disposition returns the Content-Disposition of an answer, or "" for none. A document could have scripts, so it is never shown.
func disposition(get engine.BlobGet) string {
	kind := "attachment"
	switch mediaType, _, err := mime.ParseMediaType(get.ContentType); {
	case get.ContentType == "" && get.Filename == "":
		return ""
	case err == nil && mediaType != "image/svg+xml" && (strings.HasPrefix(mediaType, "audio/") || strings.HasPrefix(mediaType, "video/") || strings.HasPrefix(mediaType, "image/")):
		kind = "inline"
	}
	if get.Filename == "" {
		return kind
	}
	return mime.FormatMediaType(kind, map[string]string{"filename": get.Filename})
}

// expiry returns a number of whole seconds for which an address is valid at least for ttl: the store counts from the second before now.
func expiry(ttl time.Duration) time.Duration {
	return min((ttl + 2*time.Second - 1).Truncate(time.Second), blob.MaxTTL)
}
