package queue

import "runtime"

// Class is a pool of workers: work of one class never waits for another's.
type Class string

const (
	ClassTranscribe Class = "transcribe" // speech to text, diarization
	ClassImport     Class = "import"     // downloads
	ClassGenerate   Class = "generate"   // texts
	ClassRender     Class = "render"     // videos
	ClassDeliver    Class = "deliver"    // webhooks
	ClassMaintain   Class = "maintain"   // expiry and clean-up, which CancelOf leaves alone
)

// DefaultWorkers returns how many jobs of each class run at once. A render keeps about two processors busy; a delivery mostly waits.
func DefaultWorkers() map[Class]int {
	return map[Class]int{
		ClassTranscribe: 2, ClassImport: 4, ClassGenerate: 2, ClassRender: max(1, runtime.NumCPU()/2), ClassDeliver: 16, ClassMaintain: 1,
	}
}
