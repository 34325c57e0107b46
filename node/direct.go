package node

import (
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// directOf returns which bytes clients send and read themselves. Clients of /v1 may send the bytes of an upload again, so the storage must
// make the copies that protect a recording's bytes.
func directOf(blobs engine.Blobs) api.Direct {
	_, signing := blobs.(engine.PresigningBlobs)
	_, copying := blobs.(engine.CopyingBlobs)
	return api.Direct{Uploads: signing && copying, Downloads: signing}
}
