package api

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// storagePath is the path of signed URLs. It simulates storage outside the service, which responds in XML like Google Cloud Storage and
// needs no secret.
const storagePath = "/storage/"

const (
	uploadGrace   = 60 * time.Second // time before uploadMinRate applies
	uploadMinRate = 32 << 10         // minimum average rate, in bytes per second
)

// worldSeparator separates world and object in a signed URL. Names of neither contain it.
const worldSeparator = "~"

// WorldOfObject returns the world in the URL of a storage request, or "" if the request is not for storage or names no world.
func WorldOfObject(req *http.Request) string {
	object, ok := strings.CutPrefix(req.URL.Path, storagePath)
	if !ok {
		return ""
	}
	world, _, ok := strings.Cut(object, worldSeparator)
	if !ok {
		return ""
	}
	return world
}

// object returns the name of an object in signed URLs.
func (a *api) object(id string) string {
	if a.world == "" {
		return id
	}
	return a.world + worldSeparator + id
}

// idOf returns the ID of an object by its name in signed URLs.
func (a *api) idOf(object string) string {
	if a.world == "" {
		return object
	}
	return strings.TrimPrefix(object, a.world+worldSeparator)
}

// signedURL returns the signed URL for a grant whose Key comes from object.
func (a *api) signedURL(req *http.Request, g files.Grant) string {
	return a.baseURL(req) + storagePath + g.Key + "?" + a.signer.Sign(g)
}

// putObject handles PUT {upload_url}.
func (a *api) putObject(w http.ResponseWriter, req *http.Request) {
	object := req.PathValue("object")
	id := a.idOf(object)
	grant, err := a.signer.Verify(http.MethodPut, object, req.URL.RawQuery, a.engine.Now())
	switch {
	case err != nil:
	case req.Header.Get("Content-Type") != grant.ContentType:
		err = engine.Errorf(engine.CodeForbidden, "putObject", "The Content-Type header differs from the declared content type.").WithRule("upload.wrong-content-type")
	case req.ContentLength > grant.Size:
		err = engine.Errorf(engine.CodeTooLarge, "putObject", "The object is larger than declared.")
	}
	if err != nil {
		a.failStorage(w, req, err)
		return
	}
	if reserved, err := a.engine.GetUpload(req.Context(), engine.UploadID(id)); err == nil {
		if err := a.refuse("PUT {upload_url}", reserved.Filename); err != nil {
			a.failStorage(w, req, err)
			return
		}
	}
	body := &pacedBody{body: req.Body, rc: http.NewResponseController(w), start: time.Now()}
	u, err := a.engine.ReceiveUpload(req.Context(), engine.UploadID(id), body)
	if err != nil {
		a.failStorage(w, req, err)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprintf("%x", u.SHA256)))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
}

// pacedBody extends the connection's read deadline as bytes arrive. A slow client may finish; a stalled client, or one that only sends a
// byte now and then, times out.
type pacedBody struct {
	body  io.Reader
	rc    interface{ SetReadDeadline(time.Time) error }
	start time.Time
	set   time.Time // time when the deadline was last extended
	n     int64
}

func (b *pacedBody) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(b.set) > time.Second {
		b.set = now
		// The deadline assumes the minimum rate for the bytes received so far.
		_ = b.rc.SetReadDeadline(b.start.Add(uploadGrace + time.Duration(b.n/uploadMinRate)*time.Second))
	}
	n, err := b.body.Read(p)
	b.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		sentence := "The connection closed before all bytes arrived."
		if errors.Is(err, os.ErrDeadlineExceeded) {
			sentence = "The upload was too slow."
		}
		err = engine.Errorf(engine.CodeCanceled, "putObject", "%s", sentence).Because(err)
	}
	return n, err
}

// storageError is the body of every storage error.
type storageError struct {
	XMLName xml.Name `xml:"Error"`
	Code    string   `xml:"Code"`
	Message string   `xml:"Message"`
}

// failStorage writes an error response in the format of Google Cloud Storage.
func (a *api) failStorage(w http.ResponseWriter, req *http.Request, err error) {
	code := engine.CodeOf(err)
	status := StatusOf(code)
	if status >= http.StatusInternalServerError {
		a.log.Error("storage request failed", "id", w.Header().Get("X-Request-Id"), "object", req.PathValue("object"), "code", code, "err", err)
	}
	if status < http.StatusInternalServerError {
		w.Header().Set(reasonHeader, reasonOf(req, err))
	}
	writeXML(w, status, storageErrorOf(err))
}

// storageErrorOf returns the body of a storage error.
func storageErrorOf(err error) storageError {
	name := map[engine.Code]string{
		engine.CodeForbidden: "SignatureDoesNotMatch", engine.CodeTooLarge: "EntityTooLarge", engine.CodeNotFound: "NoSuchKey",
		engine.CodeConflict: "PreconditionFailed", engine.CodeCanceled: "RequestTimeout", engine.CodeNoSpace: "InsufficientStorage",
		engine.CodeInvalid: "InvalidArgument", engine.CodeRateLimited: "SlowDown", engine.CodeUnavailable: "ServiceUnavailable",
	}[engine.CodeOf(err)]
	switch {
	case ruleOf(err) == "upload.expired":
		name = "ExpiredToken"
	case name == "":
		name = "InternalError"
	}
	return storageError{Code: name, Message: engine.Message(err)}
}

func storageNotAllowed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Allow", "GET, HEAD, PUT")
	w.Header().Set(reasonHeader, joinStatements("errors.wrong-method"))
	writeXML(w, http.StatusMethodNotAllowed, storageError{Code: "MethodNotAllowed", Message: "Signed URLs support only GET, HEAD, and PUT."})
}

func writeXML(w http.ResponseWriter, status int, v any) {
	b, err := xml.Marshal(v)
	if err != nil {
		panic(err) // an XML type that can't be encoded is a bug
	}
	w.Header().Set("Content-Type", "application/xml; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<?xml version='1.0' encoding='UTF-8'?>")
	_, _ = w.Write(b)
}
