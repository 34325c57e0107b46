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

// storagePath is where signed addresses point. It stands for the storage beside the service, which answers in XML as Google
// Cloud Storage does and takes no secret.
const storagePath = "/storage/"

const (
	uploadGrace   = 60 * time.Second // before an upload must have a speed
	uploadMinRate = 32 << 10         // bytes per second that it must have then, on the average
)

// worldMark stands between a world and an object in a signed address; neither has it in its name.
const worldMark = "~"

// WorldOfObject returns the world that a request for a signed address names; "" for none, and for every other request.
func WorldOfObject(req *http.Request) string {
	object, ok := strings.CutPrefix(req.URL.Path, storagePath)
	if !ok {
		return ""
	}
	world, _, ok := strings.Cut(object, worldMark)
	if !ok {
		return ""
	}
	return world
}

// object is the name of an object in signed addresses.
func (a *api) object(id string) string {
	if a.world == "" {
		return id
	}
	return a.world + worldMark + id
}

// idOf is the id behind the name of an object.
func (a *api) idOf(object string) string {
	if a.world == "" {
		return object
	}
	return strings.TrimPrefix(object, a.world+worldMark)
}

// signedURL is the address of a grant, whose Key must be of object.
func (a *api) signedURL(req *http.Request, g files.Grant) string {
	return a.baseURL(req) + storagePath + g.Key + "?" + a.signer.Sign(g)
}

// putObject is PUT {upload_url}.
func (a *api) putObject(w http.ResponseWriter, req *http.Request) {
	object := req.PathValue("object")
	id := a.idOf(object)
	grant, err := a.signer.Verify(http.MethodPut, object, req.URL.RawQuery, a.engine.Now())
	switch {
	case err != nil:
	case req.Header.Get("Content-Type") != grant.ContentType:
		err = engine.Errorf(engine.CodeForbidden, "putObject", "The Content-Type header differs from the declared content type.").WithRule("upload.wrong-content-type")
	case req.ContentLength > grant.Size:
		err = engine.Errorf(engine.CodeTooLarge, "putObject", "The object is larger than was declared.")
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

// pacedBody moves the connection's read deadline along with the bytes, so that a slow client isn't cut off and one that is stuck,
// or sends a byte now and then, is.
type pacedBody struct {
	body  io.Reader
	rc    interface{ SetReadDeadline(time.Time) error }
	start time.Time
	set   time.Time // when the deadline was last moved
	n     int64
}

func (b *pacedBody) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(b.set) > time.Second {
		b.set = now
		// The bytes so far have bought this much time at the least rate.
		_ = b.rc.SetReadDeadline(b.start.Add(uploadGrace + time.Duration(b.n/uploadMinRate)*time.Second))
	}
	n, err := b.body.Read(p)
	b.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		sentence := "The connection broke off before all bytes had arrived."
		if errors.Is(err, os.ErrDeadlineExceeded) {
			sentence = "The bytes arrived too slowly."
		}
		err = engine.Errorf(engine.CodeCanceled, "putObject", "%s", sentence).Because(err)
	}
	return n, err
}

// storageError is the body of every error of the storage.
type storageError struct {
	XMLName xml.Name `xml:"Error"`
	Code    string   `xml:"Code"`
	Message string   `xml:"Message"`
}

// failStorage answers as Google Cloud Storage does.
func (a *api) failStorage(w http.ResponseWriter, req *http.Request, err error) {
	code := engine.CodeOf(err)
	name := map[engine.Code]string{
		engine.CodeForbidden: "SignatureDoesNotMatch", engine.CodeTooLarge: "EntityTooLarge", engine.CodeNotFound: "NoSuchKey",
		engine.CodeConflict: "PreconditionFailed", engine.CodeCanceled: "RequestTimeout", engine.CodeNoSpace: "InsufficientStorage",
		engine.CodeInvalid: "InvalidArgument",
	}[code]
	status := StatusOf(code)
	switch {
	case ruleOf(err) == "upload.expired":
		name = "ExpiredToken"
	case name == "":
		name = "InternalError"
	}
	if status >= http.StatusInternalServerError {
		a.log.Error("storage request failed", "id", w.Header().Get("X-Request-Id"), "object", req.PathValue("object"), "code", code, "err", err)
	}
	if status < http.StatusInternalServerError {
		w.Header().Set(reasonHeader, reasonOf(req, err))
	}
	writeXML(w, status, storageError{Code: name, Message: engine.Message(err)})
}

func storageNotAllowed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Allow", "GET, HEAD, PUT")
	w.Header().Set(reasonHeader, stated("errors.wrong-method"))
	writeXML(w, http.StatusMethodNotAllowed, storageError{Code: "MethodNotAllowed", Message: "Signed addresses take PUT, GET and HEAD only."})
}

func writeXML(w http.ResponseWriter, status int, v any) {
	b, err := xml.Marshal(v)
	if err != nil {
		panic(err) // a wire type that can't be encoded is a programmer's error
	}
	w.Header().Set("Content-Type", "application/xml; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<?xml version='1.0' encoding='UTF-8'?>")
	_, _ = w.Write(b)
}
