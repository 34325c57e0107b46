package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// UploadStatus is the state of an Upload: stored form and wire form.
type UploadStatus string

const (
	UploadReserved UploadStatus = "reserved" // the object is reserved, its bytes have not arrived
	UploadStored   UploadStatus = "stored"   // the bytes have arrived; they may be replaced
	UploadUsed     UploadStatus = "used"     // a recording was made of it; the bytes are the recording's
	UploadExpired  UploadStatus = "expired"  // no recording was made in time; the bytes are gone
)

// UploadEvent is what happens to an Upload.
type UploadEvent string

const (
	UploadReceived UploadEvent = "received" // all bytes of a PUT are durable
	UploadTaken    UploadEvent = "taken"    // a recording was created of it
	UploadLapsed   UploadEvent = "lapsed"   // its time ran out
)

// uploadMachine is every state of an upload and every way out of it.
var uploadMachine = fsm.New("upload", UploadReserved, fsm.Table[UploadStatus, UploadEvent]{
	UploadReserved: {UploadReceived: UploadStored, UploadLapsed: UploadExpired},
	UploadStored:   {UploadReceived: UploadStored, UploadTaken: UploadUsed, UploadLapsed: UploadExpired},
	UploadUsed:     {},
	UploadExpired:  {},
})

// apply moves the upload; it is the only place that assigns its status.
func (u *Upload) apply(event UploadEvent) error {
	next, err := uploadMachine.Next(u.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Upload", "The upload is already %s.", u.Status).Because(err)
	}
	u.Status = next
	return nil
}
