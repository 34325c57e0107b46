package sim

import "github.com/soundstage-dev/soundstage/engine/queue"

// The kinds of jobs that polls can wait for. Clean-up and expiry are not among them.
var (
	workKinds = []queue.Kind{
		"chat.answer", "import.download", "output.generate", "render.render", "speaker.summarize", "suggestions.make",
		"transcript.diarize", "transcript.download", transcribe,
	}
	deliveryKinds = []queue.Kind{"webhook.deliver", "webhook.replay"}
)

// workClasses are the classes of workKinds.
var workClasses = []queue.Class{queue.ClassTranscribe, queue.ClassImport, queue.ClassGenerate, queue.ClassRender}
