package node

import (
	"context"
	"net/textproto"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// directOf returns which bytes clients send and read themselves. It signs an address that is never used, to learn which headers the
// storage requires: clients of /v1 send only Content-Type and Content-Length.
func directOf(blobs engine.Blobs) api.Direct {
	signing, ok := blobs.(engine.PresigningBlobs)
	if !ok {
		return api.Direct{}
	}
	a, err := signing.PresignPut(context.Background(), "probe/direct", engine.BlobPut{Size: 1, ContentType: "audio/wav", TTL: time.Second})
	if err != nil {
		return api.Direct{Downloads: true}
	}
	for name := range a.Header {
		if name = textproto.CanonicalMIMEHeaderKey(name); name != "Content-Type" && name != "Content-Length" {
			return api.Direct{Downloads: true}
		}
	}
	return api.Direct{Uploads: true, Downloads: true}
}
