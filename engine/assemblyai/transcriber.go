package assemblyai

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

const (
	uploaded    = 0.3              // share of the progress
	longestPoll = 10 * time.Second // unless Config.Poll is longer
	pollGrowth  = 1.5
	maxFailures = 5 // consecutive failed polls
	maxUpload   = 2_200_000_000
)

// work is one attempt of one transcription.
type work struct {
	*Transcriber
	req      engine.TranscribeRequest
	ask      ask
	memo     memo
	progress *speech.Progress
}

// Transcribe uploads the media, requests a transcript, and waits for it. It returns CodeUnavailable, Retryable if another
// attempt may succeed, which then continues with the same transcript; CodeBadMedia if the server can't read the media;
// CodeTooLarge for more than 2.2 GB without Media; CodeCanceled when ctx is done; and the errors of the Source, of Media,
// and of the notes.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if ctx.Err() != nil {
		return engine.Transcription{}, canceled(ctx)
	}
	w := &work{Transcriber: t, req: req, ask: newAsk(req, t.models), progress: speech.NewProgress(req.Progress)}
	if err := w.recall(ctx); err != nil {
		return engine.Transcription{}, err
	}
	done, err := w.run(ctx)
	if err != nil {
		return engine.Transcription{}, err
	}
	if done.Status == "error" {
		if err := done.failure(); err != nil {
			return engine.Transcription{}, err
		}
	}
	w.progress.Report(1)
	heard := done.transcription(req)
	if heard.Model = name; t.cfg.Model != "" {
		heard.Model += " (" + t.cfg.Model + ")"
	}
	return heard, nil
}

// run waits for the transcript in the memo, or for a new one. If the server has forgotten it, run requests a new one, once.
func (w *work) run(ctx context.Context) (transcript, error) {
	noted := w.memo.ID != ""
	if noted {
		done, err := w.wait(ctx, 0)
		if statusOf(err) != http.StatusNotFound {
			return done, err
		}
		w.memo = memo{}
	}
	if err := w.submit(ctx); err != nil {
		return transcript{}, err
	}
	return w.wait(ctx, w.cfg.Poll)
}

// wait polls until the transcript is finished, after a first pause. It tolerates failed polls for a while, because the
// server continues to work.
func (w *work) wait(ctx context.Context, pause time.Duration) (transcript, error) {
	start, failures := w.cfg.Clock.Now(), 0
	w.progress.Report(uploaded)
	for {
		if err := w.pause(ctx, pause); err != nil {
			return transcript{}, err
		}
		pause = max(w.cfg.Poll, min(time.Duration(float64(pause)*pollGrowth), longestPoll))
		var t transcript
		err := w.api.Get(ctx, backend.Request{Path: "/v2/transcript/" + url.PathEscape(w.memo.ID)}, &t)
		if failures++; err == nil {
			failures = 0
		} else if failed, ok := errors.AsType[*engine.Error](err); !ok || !failed.Retryable || failures >= maxFailures {
			return transcript{}, err
		} else {
			pause, t = max(pause, failed.RetryAfter), transcript{} // discard a partly parsed response
		}
		if t.Status == "completed" || t.Status == "error" {
			return t, nil
		}
		waited := w.cfg.Clock.Now().Sub(start)
		if waited > w.cfg.Wait {
			return transcript{}, engine.Errorf(engine.CodeUnavailable, "Transcribe", "%s did not finish in time.", name).Transient().
				WithHint("Try again later, or set a longer timeout.")
		}
		// The server reports no progress: estimate 1 minute of work per 20 minutes of media.
		expected := max(20*time.Second, w.req.Info.Duration/20)
		w.progress.Report(uploaded + (0.95-uploaded)*(1-math.Exp(-waited.Seconds()/expected.Seconds())))
	}
}

// pause waits on the clock.
func (w *work) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := w.cfg.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return canceled(ctx)
	}
}

func canceled(ctx context.Context) error {
	return engine.Errorf(engine.CodeCanceled, "Transcribe", "The transcription was canceled.").Because(context.Cause(ctx))
}

// statusOf returns the HTTP status of a refused request, or 0 for other errors.
func statusOf(err error) int {
	if refused, ok := errors.AsType[*backend.Refusal](err); ok {
		return refused.Status
	}
	return 0
}
