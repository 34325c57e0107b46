package engine

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"time"
)

type (
	// JobID identifies a Job.
	JobID string
	// JobKind says which step of which work a job is, "transcript.download".
	JobKind string
	// JobClass is a pool of workers: work of one class never waits for another's.
	JobClass string
)

const (
	ClassTranscribe JobClass = "transcribe" // speech to text, diarization
	ClassImport     JobClass = "import"     // downloads
	ClassGenerate   JobClass = "generate"   // texts
	ClassRender     JobClass = "render"     // videos
	ClassDeliver    JobClass = "deliver"    // webhooks
	ClassMaintain   JobClass = "maintain"   // expiry and clean-up
)

// DefaultWorkers is how many jobs of each class run at once. A render keeps about two processors busy; a delivery mostly waits.
func DefaultWorkers() map[JobClass]int {
	return map[JobClass]int{
		ClassTranscribe: 2, ClassImport: 4, ClassGenerate: 2, ClassRender: max(1, runtime.NumCPU()/2), ClassDeliver: 16, ClassMaintain: 1,
	}
}

// Job is one step of work that outlives a process. It names a row by Ref; the row is the truth, the job only says that
// something is to be done about it.
type Job struct {
	ID     JobID
	Key    string // at most one job of a key is not yet over
	Kind   JobKind
	Class  JobClass
	Ref    string // id of the row; of the expiry of deliveries the day
	Tenant string // id of the account, for a delivery of the webhook, "" for everybody's; tenants of a class take turns
	Status JobStatus

	Generation      int       // grows with every claim and every lost lease; writes of an older one are dropped
	Attempt         int       // tries that have begun and were not given back
	RunAt           time.Time // not before
	LeaseOwner      string    // process that runs it
	LeaseUntil      time.Time // when another may take it
	CancelRequested bool
	LastError       string // for the log

	CreatedAt time.Time
	UpdatedAt time.Time
}

// RetryPolicy says when a failed try is repeated: after a random time up to Base·2ⁿ, at most Cap ("full jitter",
// Brooker, Exponential Backoff And Jitter, 2015).
type RetryPolicy struct {
	Base time.Duration // default 2 s
	Cap  time.Duration // default 10 min
	Max  int           // most tries of any job, in addition to its kind's own limit; default none
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Base <= 0 {
		p.Base = 2 * time.Second
	}
	if p.Cap <= 0 {
		p.Cap = 10 * time.Minute
	}
	return p
}

// delay is the wait after the n-th failed try, n ≥ 1, with random in [0,1).
func (p RetryPolicy) delay(n int, random float64) time.Duration {
	ceiling := p.Cap
	if n < 40 { // beyond, the shift would overflow
		if d := p.Base << (n - 1); d > 0 && d < p.Cap {
			ceiling = d
		}
	}
	return time.Duration(random * float64(ceiling))
}

// maxGenerations bounds how often a job may take its process down before it is given up.
const maxGenerations = 50

// newJob is a job of a kind about a row, ready to be enqueued.
func (e *Engine) newJob(kind JobKind, ref, tenant string, runAt time.Time) Job {
	now := e.now()
	return Job{
		ID: JobID(e.ids.NewID("job")), Key: string(kind) + ":" + ref, Kind: kind, Class: e.handlers[kind].class, Ref: ref, Tenant: tenant,
		Status: jobMachine.Initial(), RunAt: runAt, CreatedAt: now, UpdatedAt: now,
	}
}

// handler says how jobs of a kind are done.
type handler struct {
	class    JobClass
	attempts int // most tries; with a schedule, there is one more than it has waits
	// start moves the row to where run has it while it works; for tries that are only simulated. May be nil.
	start func(*Engine, context.Context, *work) error
	// run does the work. What it returns is written together with the job's end, if the job is still this worker's.
	run func(*Engine, context.Context, *work) (finish func(Tx) error, err error)
	// failed writes what becomes of the row when the job fails for good or is canceled, together with the job's end. May be nil.
	failed func(e *Engine, tx Tx, j Job, err error) error
	// retried writes what becomes of the row when a try failed and another one follows. May be nil.
	retried func(e *Engine, tx Tx, j Job, err error) error
	// schedule says how long to wait after each failed try, instead of Config.Retry, whose Max doesn't count either. May be nil.
	schedule func(e *Engine) []time.Duration
}

const (
	jobDownload         JobKind = "transcript.download"
	jobTranscribe       JobKind = "transcript.transcribe"
	jobDiarize          JobKind = "transcript.diarize"
	jobTranscriptClean  JobKind = "transcript.clean"
	jobUploadExpire     JobKind = "upload.expire"
	jobGenerate         JobKind = "output.generate"
	jobSpeakerSummarize JobKind = "speaker.summarize"
	jobRender           JobKind = "render.render"
	jobRenderClean      JobKind = "render.clean"
	jobImport           JobKind = "import.download"
	jobImportClean      JobKind = "import.clean"
	jobDeliver          JobKind = "webhook.deliver"
	jobReplay           JobKind = "webhook.replay"
	jobDeliveryExpire   JobKind = "webhook.expire"
	jobChat             JobKind = "chat.answer"
	jobSuggest          JobKind = "suggestions.make"
)

// jobHandlers is every kind of job.
func jobHandlers() map[JobKind]handler {
	startTranscript := func(_ *Engine, ctx context.Context, w *work) error {
		_, err := w.startTranscript(ctx)
		return err
	}
	startImport := func(_ *Engine, ctx context.Context, w *work) error {
		_, _, err := w.startImport(ctx)
		return err
	}
	return map[JobKind]handler{
		jobDownload:         {class: ClassImport, attempts: 6, start: startTranscript, run: (*Engine).runDownload, failed: (*Engine).failTranscript},
		jobTranscribe:       {class: ClassTranscribe, attempts: 6, start: startTranscript, run: (*Engine).runTranscribe, failed: (*Engine).failTranscript},
		jobDiarize:          {class: ClassTranscribe, attempts: 3, start: startTranscript, run: (*Engine).runDiarize, failed: (*Engine).failTranscript},
		jobTranscriptClean:  {class: ClassMaintain, attempts: 10, run: (*Engine).runTranscriptClean},
		jobUploadExpire:     {class: ClassMaintain, attempts: 10, run: (*Engine).runUploadExpire},
		jobGenerate:         {class: ClassGenerate, attempts: 5, run: (*Engine).runGenerate, failed: (*Engine).failOutput, retried: (*Engine).retryOutput},
		jobSpeakerSummarize: {class: ClassGenerate, attempts: 5, run: (*Engine).runSpeakerSummarize},
		jobRender:           {class: ClassRender, attempts: 3, run: (*Engine).runRender, failed: (*Engine).failRender},
		jobRenderClean:      {class: ClassMaintain, attempts: 10, run: (*Engine).runRenderClean},
		jobImport:           {class: ClassImport, attempts: 8, start: startImport, run: (*Engine).runImport, failed: (*Engine).failImport},
		jobImportClean:      {class: ClassMaintain, attempts: 10, run: (*Engine).runImportClean},
		jobDeliver: {
			class: ClassDeliver, run: (*Engine).runDeliver, failed: (*Engine).failDelivery, retried: (*Engine).retryDelivery,
			schedule: func(e *Engine) []time.Duration { return e.hookRetry },
		},
		jobReplay:         {class: ClassDeliver, attempts: 1, run: (*Engine).runDeliver, failed: (*Engine).failDelivery},
		jobDeliveryExpire: {class: ClassMaintain, attempts: 10, run: (*Engine).runDeliveryExpire},
		jobChat:           {class: ClassGenerate, attempts: 5, run: (*Engine).runChat, failed: (*Engine).failChat},
		jobSuggest:        {class: ClassGenerate, attempts: 5, run: (*Engine).runSuggest},
	}
}

// CancelJob asks for the job to be stopped: at once when it waits, at its next heartbeat when it runs. CodeNotFound when
// there is no such job, CodeConflict when it is over.
func (e *Engine) CancelJob(ctx context.Context, id JobID) error {
	const op = "CancelJob"
	err := e.update(ctx, func(tx Tx) error {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		if j.Status.Terminal() {
			return Errorf(CodeConflict, op, "The job is already %s.", j.Status)
		}
		j.CancelRequested, j.UpdatedAt = true, e.now()
		if j.Status.Waiting() {
			return e.endJob(tx, j, JobStopped, errCancelRequested)
		}
		return tx.PutJob(j)
	})
	if err == nil {
		e.mu.Lock()
		if t, ok := e.running[id]; ok {
			t.until = time.Time{}
			t.cancel(errCancelRequested)
		}
		e.mu.Unlock()
	}
	return wrap(op, err)
}

// CancelJobsOf cancels every job about a row that isn't over, and returns how many there were. Clean-up goes on: it is what a cancel
// leaves to be done.
func (e *Engine) CancelJobsOf(ctx context.Context, ref string) (int, error) {
	n := 0
	for _, kind := range slices.Sorted(maps.Keys(e.handlers)) {
		if e.handlers[kind].class == ClassMaintain {
			continue
		}
		var j Job
		err := e.store.View(ctx, func(tx ReadTx) (err error) {
			j, err = tx.JobByKey(string(kind) + ":" + ref)
			return err
		})
		if err == nil {
			err = e.CancelJob(ctx, j.ID)
		}
		switch CodeOf(err) {
		case "":
			n++
		case CodeNotFound, CodeConflict:
		default:
			return n, wrap("CancelJobsOf", err)
		}
	}
	return n, nil
}

// endJob writes the end of a job, and what becomes of its row when it didn't succeed.
func (e *Engine) endJob(tx Tx, j Job, event JobEvent, cause error) error {
	if err := j.apply(event); err != nil {
		return err
	}
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = "", time.Time{}, e.now()
	if cause != nil {
		j.LastError = cause.Error()
		if failed := e.handlers[j.Kind].failed; failed != nil {
			if err := failed(e, tx, j, cause); err != nil {
				return err
			}
		}
	}
	return tx.PutJob(j)
}
