package api

import (
	"context"
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// Direct says which bytes go directly between clients and the storage, by addresses that the storage signs. Other bytes go through
// /storage.
type Direct struct {
	// Uploads: upload_url is an address of the storage, unless the upload is larger than the storage takes in one request. The engine's
	// Blobs must be engine.CopyingBlobs, too.
	Uploads   bool
	Downloads bool // asset_url is an address of the storage
}

// reserveUpload creates an upload and returns the address for its bytes.
func (a *api) reserveUpload(req *http.Request, c engine.Caller, n engine.NewUpload) (engine.Upload, string, error) {
	if a.direct.Uploads {
		u, to, err := a.engine.PresignUpload(req.Context(), c, engine.NewDirectUpload{NewUpload: n, Replaceable: true})
		if engine.CodeOf(err) != engine.CodeTooLarge {
			return u, to.URL, err
		}
	}
	u, err := a.engine.CreateUpload(req.Context(), c, n)
	if err != nil {
		return engine.Upload{}, "", err
	}
	return u, a.signedURL(req, files.Grant{
		Method: http.MethodPut, Key: a.object(string(u.ID)), ContentType: u.ContentType, Size: u.Size, Expires: u.ExpiresAt,
	}), nil
}

// assetURL returns the address of a completed render's video.
func (a *api) assetURL(req *http.Request, c engine.Caller, r engine.Render) (string, error) {
	if a.direct.Downloads {
		return a.presignedAsset(req.Context(), c, r)
	}
	return a.signedURL(req, files.Grant{
		Method: http.MethodGet, Key: a.object(string(r.ID)), ContentType: assetType, Size: r.Size, Expires: a.engine.Now().Add(assetTTL),
	}), nil
}

func (a *api) presignedAsset(ctx context.Context, c engine.Caller, r engine.Render) (string, error) {
	from, err := a.engine.PresignRender(ctx, c, r.ID, engine.BlobGet{
		ContentType: assetType, Filename: videoFileName(r), TTL: assetTTL,
	})
	return from.URL, err
}
