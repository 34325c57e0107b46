package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Limits of a PUT. Slow clients may finish; stalled ones, and those that send a byte now and then, time out.
const (
	putGrace   = 60 * time.Second // before putMinRate applies
	putMinRate = 32 << 10         // minimum average rate, in bytes per second
	putMost    = 12 * time.Hour   // for the whole body, so that an address has no effect a day later
)

// put stores the body of a request.
func (d *Direct) put(w http.ResponseWriter, req *http.Request, g Grant) error {
	switch {
	case req.Header.Get("Content-Type") != g.ContentType:
		return engine.Errorf(engine.CodeForbidden, "", "The Content-Type header must be %q (got %q).", g.ContentType, req.Header.Get("Content-Type"))
	case req.ContentLength >= 0 && req.ContentLength != g.Size:
		return wrongSize(req.ContentLength, g.Size)
	}
	if !g.Replaceable {
		if _, err := d.blobs.Stat(req.Context(), g.Key); err == nil {
			return errStored // before the body is read
		} else if engine.CodeOf(err) != engine.CodeNotFound {
			return err
		}
	}
	info, err := d.receive(req, w, g)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(info))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	return nil
}

var errStored = engine.Errorf(engine.CodeConflict, "files.Direct", "The bytes were already sent to this address.").
	WithHint("Ask for a new address to send other bytes.")

func wrongSize(got, want int64) error {
	if got > want {
		return engine.Errorf(engine.CodeTooLarge, "", "The address is for %d bytes, but more were sent.", want)
	}
	return engine.Errorf(engine.CodeUnprocessable, "", "The address is for %d bytes, but %d were sent.", want, got)
}

// receive streams the body to a blob, which becomes visible if its size and SHA-256 are those of the grant.
func (d *Direct) receive(req *http.Request, w http.ResponseWriter, g Grant) (engine.BlobInfo, error) {
	to, err := d.blobs.Create(req.Context(), g.Key, engine.BlobMeta{ContentType: g.ContentType, MaxSize: g.Size, Once: !g.Replaceable})
	if err != nil {
		return engine.BlobInfo{}, err
	}
	defer func() { _ = to.Abort() }()
	hash := sha256.New()
	body := &pacedBody{body: req.Body, ctx: req.Context(), deadline: http.NewResponseController(w).SetReadDeadline, start: time.Now()}
	from := io.Reader(body)
	if g.SHA256 != "" {
		from = io.TeeReader(body, hash)
	}
	if err := blob.Copy(req.Context(), to, from); err != nil {
		if engine.CodeOf(err) == engine.CodeTooLarge {
			err = wrongSize(g.Size+1, g.Size)
		}
		return engine.BlobInfo{}, err
	}
	if body.n != g.Size {
		return engine.BlobInfo{}, wrongSize(body.n, g.Size)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); g.SHA256 != "" && got != g.SHA256 {
		return engine.BlobInfo{}, engine.Errorf(engine.CodeUnprocessable, "", "The address is for bytes with the SHA-256 %s, but those sent have %s.", g.SHA256, got)
	}
	info, err := to.Commit()
	if engine.CodeOf(err) == engine.CodeConflict {
		err = errStored
	}
	return info, err
}

// pacedBody extends the read deadline of the connection as bytes arrive.
type pacedBody struct {
	body     io.Reader
	ctx      context.Context
	deadline func(time.Time) error
	start    time.Time
	set      time.Time // when the deadline was last extended
	n        int64     // bytes
}

func (b *pacedBody) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(b.set) > time.Second {
		b.set = now
		_ = b.deadline(b.start.Add(min(putGrace+time.Duration(b.n/putMinRate)*time.Second, putMost))) // a writer of tests has no deadline
	}
	n, err := b.body.Read(p)
	b.n += int64(n)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	sentence := "The connection closed before all bytes arrived."
	if errors.Is(err, os.ErrDeadlineExceeded) {
		sentence = "The bytes arrived too slowly."
	}
	return n, engine.Errorf(engine.CodeCanceled, "", "%s", sentence).Because(err)
}

// etag returns the entity tag of a blob, or "" if its SHA-256 is unknown.
func etag(info engine.BlobInfo) string {
	if info.SHA256 == [32]byte{} {
		return ""
	}
	return fmt.Sprintf(`"%x"`, info.SHA256)
}
