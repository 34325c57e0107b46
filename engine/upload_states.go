package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// UploadStatus is the state of an Upload: stored form and wire form.
type UploadStatus string

const (
	UploadReserved UploadStatus = "reserved" // the bytes have not arrived
	UploadStored   UploadStatus = "stored"   // the bytes have arrived and may be replaced
	UploadUsed     UploadStatus = "used"     // a recording was created and owns the bytes
	UploadExpired  UploadStatus = "expired"  // no recording was created in time; the bytes are removed
)

// UploadEvent is a transition of an Upload.
type UploadEvent string

const (
	UploadReceived UploadEvent = "received" // all bytes of a PUT are durable
	UploadTaken    UploadEvent = "taken"    // a recording was created from it
	UploadLapsed   UploadEvent = "lapsed"   // it expired
)

// uploadMachine is every state of an upload and every transition.
var uploadMachine = fsm.New("upload", UploadReserved, fsm.Table[UploadStatus, UploadEvent]{
	UploadReserved: {UploadReceived: UploadStored, UploadLapsed: UploadExpired},
	UploadStored:   {UploadReceived: UploadStored, UploadTaken: UploadUsed, UploadLapsed: UploadExpired},
	UploadUsed:     {},
	UploadExpired:  {},
})

// apply changes the upload's status; nothing else assigns it.
func (u *Upload) apply(event UploadEvent) error {
	next, err := uploadMachine.Next(u.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Upload", "The upload is already %s.", u.Status).Because(err)
	}
	u.Status = next
	return nil
}
