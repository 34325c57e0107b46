package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// source is something to add.
type source struct {
	name      string // path or URL
	id        string // external id; "" for an unfinished recording without one
	url       bool
	found     bool               // in a folder; then it is skipped if it isn't media
	recording engine.RecordingID // of unfinished work; else ""
}

// adder adds media to a library, several at a time.
type adder struct {
	*worker
	settings engine.NewRecording
	out      *addOutput
	seen     map[string]bool // external ids that are queued, being added, or, unless it watches, done
}

// addWorkers is how many inputs are added at a time: enough that transcriptions never wait for a copy.
const addWorkers = 4

// run adds the sources of a queue, and those that poll returns at each tick. Without ticks, it ends when everything is done, else with ctx.
// It calls done with each result.
func (a *adder) run(ctx context.Context, queue []source, tick <-chan time.Time, poll func() []source, done func(addition)) {
	jobs, results := make(chan source), make(chan addition)
	var workers sync.WaitGroup
	for range addWorkers {
		workers.Go(func() {
			for s := range jobs {
				results <- a.add(ctx, s)
			}
		})
	}
	defer workers.Wait()
	defer close(jobs)
	queue = a.fresh(queue)
	for busy := 0; busy > 0 || ctx.Err() == nil && (len(queue) > 0 || tick != nil); {
		next, give, look, stop := source{}, jobs, tick, ctx.Done()
		if ctx.Err() != nil {
			queue, look, stop = nil, nil, nil
		}
		if len(queue) > 0 {
			next = queue[0]
		} else {
			give = nil
		}
		select {
		case give <- next:
			queue, busy = queue[1:], busy+1
		case result := <-results:
			busy--
			if tick != nil {
				delete(a.seen, result.source.id)
			}
			if ctx.Err() == nil || result.err == nil {
				a.out.print(result)
				done(result)
			}
		case <-look:
			queue = append(queue, a.fresh(poll())...)
		case <-stop:
		}
	}
}

// fresh returns the sources that aren't queued already.
func (a *adder) fresh(sources []source) (fresh []source) {
	for _, s := range sources {
		if s.id != "" && a.seen[s.id] {
			continue
		}
		a.seen[s.id] = s.id != ""
		fresh = append(fresh, s)
	}
	a.progress.expect(len(fresh))
	return fresh
}

// unfinished returns the recordings whose transcription an earlier run has not finished, oldest first.
func (a *adder) unfinished(ctx context.Context) (queue []source, err error) {
	list, err := a.recordings(ctx, nil, true)
	for _, r := range list {
		if !r.TranscriptStatus.Over() {
			queue = append(queue, source{name: r.ExternalID, id: r.ExternalID, recording: r.ID})
		}
	}
	return queue, err
}

// add adds one source and waits for its transcript.
func (a *adder) add(ctx context.Context, s source) addition {
	r, known, err := a.known(ctx, s)
	if err == nil && known {
		r, err = a.retry(ctx, r)
	}
	result := resultAdded
	switch {
	case err != nil:
	case known && r.TranscriptStatus.Over():
		result = resultKnown
		if s.changed(r) {
			result = resultChanged
		}
	case known:
	case s.url:
		r, err = a.addURL(ctx, s)
	default:
		r, err = a.addFile(ctx, s)
	}
	if err == nil {
		r, err = a.wait(ctx, r.ID)
	}
	a.progress.finish(r.TranscriptID)
	if err != nil {
		result = resultFailed
		if s.found && r.ID == "" && engine.CodeOf(err) == engine.CodeBadMedia {
			result = resultSkipped
		}
	}
	return addition{source: s, result: result, recording: r, err: err}
}

// known returns the recording that was made of a source before.
func (a *adder) known(ctx context.Context, s source) (engine.Recording, bool, error) {
	if s.recording != "" {
		r, _, err := a.GetRecording(ctx, a.me, s.recording)
		return r, err == nil, err
	}
	return a.find(ctx, s.id)
}

// retry starts a transcription again that failed for a reason that may have passed.
func (a *adder) retry(ctx context.Context, r engine.Recording) (engine.Recording, error) {
	if r.TranscriptStatus != engine.TranscriptError {
		return r, nil
	}
	if _, err := a.transcript(ctx, r.ID); !slices.Contains(passing, engine.CodeOf(err)) {
		return r, nil
	}
	if _, err := a.RetryTranscript(ctx, a.me, r.TranscriptID); err != nil {
		return r, err
	}
	r, _, err := a.GetRecording(ctx, a.me, r.ID)
	return r, err
}

// changed reports whether a file was written after the recording was made of it.
func (s source) changed(r engine.Recording) bool {
	if s.url || s.recording != "" {
		return false
	}
	info, err := os.Stat(s.name)
	return err == nil && (info.Size() != r.Size || info.ModTime().After(r.CreatedAt))
}

// addFile adds a file, if it has sound to transcribe.
func (a *adder) addFile(ctx context.Context, s source) (engine.Recording, error) {
	info, err := a.media.Probe(ctx, files.Source(s.name))
	if err == nil {
		err = info.CheckSpeech()
	}
	if err != nil {
		return engine.Recording{}, err
	}
	n := engine.NewFile{NewRecording: a.settings, Name: cleanName(filepath.Base(s.name))}
	n.ExternalID = s.id
	return a.AddFile(ctx, a.me, s.name, n)
}

// cleanName returns a file's name as text without control characters.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
}

// addURL downloads media.
func (a *adder) addURL(ctx context.Context, s source) (engine.Recording, error) {
	i, err := a.startURL(ctx, s)
	if err != nil {
		return engine.Recording{}, err
	}
	return a.finishURL(ctx, i)
}

// startURL begins a download.
func (a *adder) startURL(ctx context.Context, s source) (engine.Import, error) {
	n := engine.NewImport{Language: a.settings.Language, DetectLanguage: a.settings.DetectLanguage, SpeakersExpected: a.settings.SpeakersExpected, Tags: a.settings.Tags}
	n.ExternalID = s.id
	return a.AddURL(ctx, a.me, s.name, n)
}

// finishURL waits for a download.
func (a *adder) finishURL(ctx context.Context, i engine.Import) (_ engine.Recording, err error) {
	if i.ID != "" {
		i, err = a.WaitImport(ctx, a.me, i.ID)
	}
	if err == nil && i.Status != engine.ImportCompleted {
		err = engine.Errorf(engine.CodeDownload, "library", "%s", i.Error).WithHint(i.ErrorHint)
	}
	if err != nil {
		return engine.Recording{}, err
	}
	r, _, err := a.GetRecording(ctx, a.me, i.RecordingID)
	return r, err
}
