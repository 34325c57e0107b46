package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
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
	u, to, err := a.reserveUpload(req, c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, struct {
		ObjectID  engine.UploadID `json:"object_id"`
		UploadURL string          `json:"upload_url"`
		ExpiresIn int             `json:"upload_url_expires_in_seconds"`
		SpaceID   engine.SpaceID  `json:"space_id"`
	}{u.ID, to, int(engine.UploadTTL.Seconds()), u.SpaceID})
	return nil
}
