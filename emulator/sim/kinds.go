package sim

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// The kinds of jobs that polls can wait for. Clean-up and expiry are not among them.
var (
	workKinds = []queue.Kind{
		engine.JobChat, engine.JobImport, engine.JobGenerate, engine.JobRender, engine.JobSpeakerSummarize, engine.JobSuggest,
		engine.JobDiarize, engine.JobDownload, engine.JobTranscribe,
	}
	deliveryKinds = []queue.Kind{engine.JobDeliver, engine.JobReplay}
)

// workClasses are the classes of workKinds.
var workClasses = []queue.Class{queue.ClassTranscribe, queue.ClassImport, queue.ClassGenerate, queue.ClassRender}
