package queue

import "runtime"

// Class is a pool of workers. Jobs of one class never wait for those of another.
type Class string

const (
	ClassTranscribe Class = "transcribe" // speech to text, diarization
	ClassImport     Class = "import"     // downloads
	ClassGenerate   Class = "generate"   // texts
	ClassRender     Class = "render"     // videos
	ClassDeliver    Class = "deliver"    // webhooks
	ClassMaintain   Class = "maintain"   // expiry and clean-up; CancelOf doesn't cancel it
)

// Classes returns every class.
func Classes() []Class {
	return []Class{ClassTranscribe, ClassImport, ClassGenerate, ClassRender, ClassDeliver, ClassMaintain}
}

// DefaultWorkers returns the number of concurrent jobs of each class. A render uses about two CPUs; a delivery mostly waits. Classes whose
// jobs may be long have at least two workers, so that no tenant has to wait for another one's.
func DefaultWorkers() map[Class]int {
	return map[Class]int{
		ClassTranscribe: 2, ClassImport: 4, ClassGenerate: 2, ClassRender: max(2, runtime.NumCPU()/2), ClassDeliver: 16, ClassMaintain: 1,
	}
}
