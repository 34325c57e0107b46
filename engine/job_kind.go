package engine

import (
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// The kinds of jobs, as a queue.Observer and the log see them in queue.Job.Kind. queue.Job.Ref is the ID of the row that is named here.
// queue.Job.Tenant is the AccountID; for JobDeliver and JobReplay the WebhookID, and for JobDeliveryExpire nothing.
const (
	JobDownload         queue.Kind = "transcript.download"   // gets the media of a transcript of a URL; Ref is a TranscriptID
	JobTranscribe       queue.Kind = "transcript.transcribe" // calls the Transcriber; Ref is a TranscriptID
	JobDiarize          queue.Kind = "transcript.diarize"    // labels the words of a transcript with speakers; Ref is a TranscriptID
	JobTranscriptClean  queue.Kind = "transcript.clean"      // deletes what a transcript no longer needs; Ref is a TranscriptID
	JobImport           queue.Kind = "import.download"       // makes a recording of a URL; Ref is an ImportID
	JobImportClean      queue.Kind = "import.clean"          // deletes what an import no longer needs; Ref is an ImportID
	JobUploadExpire     queue.Kind = "upload.expire"         // deletes an upload that was never used; Ref is an UploadID
	JobGenerate         queue.Kind = "output.generate"       // generates content; Ref is an OutputID
	JobChat             queue.Kind = "chat.answer"           // answers a question; Ref is a ChatID
	JobSuggest          queue.Kind = "suggestions.make"      // suggests clips; Ref is a RecordingID
	JobSpeakerSummarize queue.Kind = "speaker.summarize"     // summarises a speaker; Ref is a SpeakerID, "/", and a RecordingID
	JobRender           queue.Kind = "render.render"         // renders a clip or an audiogram; Ref is a RenderID
	JobRenderClean      queue.Kind = "render.clean"          // deletes what a render no longer needs; Ref is a RenderID
	JobDeliver          queue.Kind = "webhook.deliver"       // sends an event to a webhook; Ref is a DeliveryID
	JobReplay           queue.Kind = "webhook.replay"        // sends a delivery once more, as its user asked; Ref is a DeliveryID
	JobRecordingDelete  queue.Kind = "recording.delete"      // removes everything about a deleted recording; Ref is a DeletionID
	JobRecordingExpire  queue.Kind = "recording.expire"      // deletes the recordings that a space no longer keeps; Ref is a SpaceID
	JobSpeakerForget    queue.Kind = "speaker.forget"        // deletes what is left of a forgotten speaker; Ref is a SpeakerID
	JobDeliveryExpire   queue.Kind = "webhook.expire"        // deletes old deliveries; Ref is a day, as 2006-01-02
)

// JobKinds returns every kind of job, sorted.
func JobKinds() []queue.Kind { return slices.Sorted(maps.Keys(jobHandlers)) }
