package engine

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fsm"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// work is one attempt of one job.
type work struct {
	e       *Engine
	job     queue.Job
	attempt *queue.Attempt
}

// update is Engine.update with a check of the lease: it fails, and writes nothing, if another attempt has taken over the job.
func (w *work) update(ctx context.Context, fn func(Tx) error) error {
	return w.e.queue.Fenced(ctx, w.attempt, fn)
}

// handler defines how jobs of a kind run; see queue.Handler.
type handler struct {
	class    queue.Class
	attempts int
	start    func(*Engine, context.Context, *work) error
	run      func(*Engine, context.Context, *work) (finish func(Tx) error, err error)
	failed   func(e *Engine, tx Tx, j queue.Job, err error) error
	retried  func(e *Engine, tx Tx, j queue.Job, err error) error
}

const (
	jobDownload         queue.Kind = "transcript.download"
	jobTranscribe       queue.Kind = "transcript.transcribe"
	jobDiarize          queue.Kind = "transcript.diarize"
	jobTranscriptClean  queue.Kind = "transcript.clean"
	jobUploadExpire     queue.Kind = "upload.expire"
	jobGenerate         queue.Kind = "output.generate"
	jobSpeakerSummarize queue.Kind = "speaker.summarize"
	jobRender           queue.Kind = "render.render"
	jobRenderClean      queue.Kind = "render.clean"
	jobImport           queue.Kind = "import.download"
	jobImportClean      queue.Kind = "import.clean"
	jobDeliver          queue.Kind = "webhook.deliver"
	jobReplay           queue.Kind = "webhook.replay"
	jobDeliveryExpire   queue.Kind = "webhook.expire"
	jobChat             queue.Kind = "chat.answer"
	jobSuggest          queue.Kind = "suggestions.make"
)

// jobHandlers has every kind of job.
var jobHandlers = map[queue.Kind]*handler{
	jobDownload: {
		class: queue.ClassImport, attempts: 6,
		start: (*Engine).startTranscript, run: (*Engine).runDownload, failed: (*Engine).failTranscript,
	},
	jobTranscribe: {
		class: queue.ClassTranscribe, attempts: 6,
		start: (*Engine).startTranscript, run: (*Engine).runTranscribe, failed: (*Engine).failTranscript,
	},
	jobDiarize: {
		class: queue.ClassTranscribe, attempts: 3,
		start: (*Engine).startTranscript, run: (*Engine).runDiarize, failed: (*Engine).failTranscript,
	},
	jobTranscriptClean: {class: queue.ClassMaintain, attempts: 10, run: (*Engine).runTranscriptClean},
	jobUploadExpire:    {class: queue.ClassMaintain, attempts: 10, run: (*Engine).runUploadExpire},
	jobGenerate: {
		class: queue.ClassGenerate, attempts: 5,
		run: (*Engine).runGenerate, failed: (*Engine).failOutput, retried: (*Engine).retryOutput,
	},
	jobSpeakerSummarize: {class: queue.ClassGenerate, attempts: 5, run: (*Engine).runSpeakerSummarize},
	jobRender:           {class: queue.ClassRender, attempts: 3, run: (*Engine).runRender, failed: (*Engine).failRender},
	jobRenderClean:      {class: queue.ClassMaintain, attempts: 10, run: (*Engine).runRenderClean},
	jobImport: {
		class: queue.ClassImport, attempts: 8,
		start: (*Engine).startImport, run: (*Engine).runImport, failed: (*Engine).failImport,
	},
	jobImportClean: {class: queue.ClassMaintain, attempts: 10, run: (*Engine).runImportClean},
	jobDeliver: { // retried on Config.WebhookRetry
		class: queue.ClassDeliver,
		run:   (*Engine).runDeliver, failed: (*Engine).failDelivery, retried: (*Engine).retryDelivery,
	},
	jobReplay:         {class: queue.ClassDeliver, attempts: 1, run: (*Engine).runDeliver, failed: (*Engine).failDelivery},
	jobDeliveryExpire: {class: queue.ClassMaintain, attempts: 10, run: (*Engine).runDeliveryExpire},
	jobChat:           {class: queue.ClassGenerate, attempts: 5, run: (*Engine).runChat, failed: (*Engine).failChat},
	jobSuggest:        {class: queue.ClassGenerate, attempts: 5, run: (*Engine).runSuggest},
}

// newJob returns a job about a row, ready to be enqueued.
func (e *Engine) newJob(kind queue.Kind, ref, tenant string, runAt time.Time) queue.Job {
	return e.queue.NewJob(kind, ref, tenant, runAt)
}

// CancelJob stops a job: immediately if it waits or runs in this process, else at the next heartbeat of the process that runs it.
// CodeNotFound when there is no such job, CodeConflict when it is over.
func (e *Engine) CancelJob(ctx context.Context, id queue.ID) error {
	const op = "CancelJob"
	err := e.queue.Cancel(ctx, id)
	var own *Error
	var over *fsm.TransitionError
	if !errors.As(err, &own) && errors.As(err, &over) {
		err = Errorf(CodeConflict, op, "The job is already %s.", over.State).Because(over)
	}
	return wrap(op, err)
}

// CancelJobsOf cancels every unfinished job about a row and returns how many there were. Clean-up jobs continue, because a canceled job
// needs them.
func (e *Engine) CancelJobsOf(ctx context.Context, ref string) (int, error) {
	n, err := e.queue.CancelOf(ctx, ref)
	return n, wrap("CancelJobsOf", err)
}
