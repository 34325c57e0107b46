package engine

import (
	"context"
	"errors"
	"fmt"
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
	outages  bool // see queue.Handler.Outages
	start    func(*Engine, context.Context, *work) error
	run      func(*Engine, context.Context, *work) (finish func(Tx) error, err error)
	failed   func(e *Engine, tx Tx, j queue.Job, err error) error
	retried  func(e *Engine, tx Tx, j queue.Job, err error) error
}

// jobHandlers has every kind of job; see JobKinds.
var jobHandlers = map[queue.Kind]*handler{
	JobDownload: {
		class: queue.ClassImport, attempts: 6,
		start: (*Engine).startTranscript, run: (*Engine).runDownload, failed: (*Engine).failTranscript,
	},
	JobTranscribe: {
		class: queue.ClassTranscribe, attempts: 6, outages: true,
		start: (*Engine).startTranscript, run: (*Engine).runTranscribe, failed: (*Engine).failTranscript,
	},
	JobDiarize: {
		class: queue.ClassTranscribe, attempts: 3,
		start: (*Engine).startTranscript, run: (*Engine).runDiarize, failed: (*Engine).failTranscript,
	},
	JobTranscriptClean: {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runTranscriptClean), failed: (*Engine).startAgain},
	JobUploadExpire:    {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runUploadExpire), failed: (*Engine).startAgain},
	JobGenerate: {
		class: queue.ClassGenerate, attempts: 5, outages: true,
		run: (*Engine).runGenerate, failed: (*Engine).failOutput, retried: (*Engine).retryOutput,
	},
	JobSpeakerSummarize: {class: queue.ClassGenerate, attempts: 5, outages: true, run: (*Engine).runSpeakerSummarize},
	JobRender:           {class: queue.ClassRender, attempts: 3, run: (*Engine).runRender, failed: (*Engine).failRender},
	JobRenderClean:      {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runRenderClean), failed: (*Engine).startAgain},
	JobImport: {
		class: queue.ClassImport, attempts: 8,
		start: (*Engine).startImport, run: (*Engine).runImport, failed: (*Engine).failImport,
	},
	JobImportClean: {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runImportClean), failed: (*Engine).startAgain},
	JobDeliver: { // retried on Config.WebhookRetry
		class: queue.ClassDeliver,
		run:   (*Engine).runDeliver, failed: (*Engine).failDelivery, retried: (*Engine).retryDelivery,
	},
	JobReplay:          {class: queue.ClassDeliver, attempts: 1, run: (*Engine).runDeliver, failed: (*Engine).failDelivery},
	JobRecordingDelete: {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runRecordingDelete), failed: (*Engine).startAgain},
	JobRecordingExpire: {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runRecordingExpire), failed: (*Engine).startAgain},
	JobSpeakerForget:   {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runSpeakerForget), failed: (*Engine).startAgain},
	JobDeliveryExpire:  {class: queue.ClassMaintain, attempts: 10, run: persistent((*Engine).runDeliveryExpire), failed: (*Engine).startAgain},
	JobChat:            {class: queue.ClassGenerate, attempts: 5, run: (*Engine).runChat, failed: (*Engine).failChat},
	JobSuggest:         {class: queue.ClassGenerate, attempts: 5, run: (*Engine).runSuggest},
}

// newJob returns a job about a row, ready to be enqueued by a request.
func (e *Engine) newJob(kind queue.Kind, ref, tenant string, runAt time.Time) queue.Job {
	return e.queue.NewJob(kind, ref, tenant, runAt)
}

// firstJob returns the first job of its kind about a new row, ready to be enqueued by a request or a job.
func (e *Engine) firstJob(kind queue.Kind, ref, tenant string, runAt time.Time) queue.Job {
	return e.queue.NewJobWithID(queue.ID(e.idOf("job", string(kind), ref)), kind, ref, tenant, runAt)
}

// jobAfter returns a job about a row, ready to be enqueued at the end of another one.
func (e *Engine) jobAfter(last queue.Job, kind queue.Kind, ref, tenant string, runAt time.Time) queue.Job {
	return e.queue.NewJobWithID(queue.ID(e.idOf("job", string(kind), ref, string(last.ID))), kind, ref, tenant, runAt)
}

// blobKey returns the key of a blob that a job writes in a generation. It names the job, because a retry of a failed row is another job, whose
// generations begin again: a process that was frozen in the first job must not replace or remove what the retry wrote.
func blobKey(prefix, name string, id queue.ID, generation int, suffix string) string {
	return fmt.Sprintf("%s%s-%s-%d%s", prefix, name, id, generation, suffix)
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

// HastenJob makes a job due that waits for a later time: for its retry, or for the time of a clean-up. It is for operators: it takes no
// Caller. CodeNotFound when there is no such job, CodeConflict when it is due already, running, or over.
func (e *Engine) HastenJob(ctx context.Context, id queue.ID) error {
	const op = "HastenJob"
	err := e.queue.Hasten(ctx, id)
	if errors.Is(err, queue.ErrNotWaiting) {
		return Errorf(CodeConflict, op, "The job doesn't wait for a later time.").Because(err)
	}
	return wrap(op, err)
}

// CancelJobsOf cancels every unfinished job about a row and returns how many there were. Clean-up jobs continue, because a canceled job
// needs them.
func (e *Engine) CancelJobsOf(ctx context.Context, ref string) (int, error) {
	n, err := e.queue.CancelOf(ctx, ref)
	return n, wrap("CancelJobsOf", err)
}
