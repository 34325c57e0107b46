package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// createUpload handles POST /v1/uploads.
func (a *api) createUpload(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewUpload{
		Filename: b.string("filename"), ContentType: b.string("content_type"), Size: b.int("content_size"),
		SpaceID: engine.SpaceID(b.string("space_id")), Title: b.string("title"),
	}
	if b.first != nil {
		return b.first
	}
	if err := a.refuse("POST /v1/uploads", n.Filename); err != nil {
		return err
	}
	u, err := a.engine.CreateUpload(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, struct {
		ObjectID  engine.UploadID `json:"object_id"`
		UploadURL string          `json:"upload_url"`
		ExpiresIn int             `json:"upload_url_expires_in_seconds"`
		SpaceID   engine.SpaceID  `json:"space_id"`
	}{u.ID, a.uploadURL(req, u), int(engine.UploadTTL.Seconds()), u.SpaceID})
	return nil
}

// uploadURL returns the signed URL for an upload's bytes.
func (a *api) uploadURL(req *http.Request, u engine.Upload) string {
	return a.signedURL(req, files.Grant{
		Method: http.MethodPut, Key: a.object(string(u.ID)), ContentType: u.ContentType, Size: u.Size, Expires: u.ExpiresAt,
	})
}
