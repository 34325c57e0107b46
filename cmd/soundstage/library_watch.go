package main

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	stillLooks = 2                // how many further looks must find a file unchanged
	retryAfter = 30 * time.Second // how long a file waits after a failure that may pass
)

// watch adds what is in the folders now and later, until ctx is done.
func (a *adder) watch(ctx context.Context, in inputs, interval time.Duration) error {
	queue, err := a.unfinished(ctx)
	if err != nil {
		return err
	}
	files := watcher{}
	poll := func() []source { return files.look(in.scan(a), time.Now()) }
	tick := time.NewTicker(interval)
	defer tick.Stop()
	queue = append(append(queue, in.single...), poll()...)
	a.run(ctx, queue, tick.C, poll, func(done addition) { files.done(done, time.Now()) })
	return nil
}

// watcher knows the files of watched folders, by external id.
type watcher map[string]*watchedFile

type watchedFile struct {
	mediaFile
	still int       // looks that found it unchanged
	given bool      // it was returned by look, or isn't media
	after time.Time // before this time it isn't returned
}

// look returns the files that have become complete: their size and time were the same in the last looks.
func (w watcher) look(found []mediaFile, now time.Time) (complete []source) {
	there := map[string]bool{}
	for _, f := range found {
		there[f.id] = true
		known := w[f.id]
		if known == nil || known.size != f.size || !known.modified.Equal(f.modified) {
			w[f.id] = &watchedFile{mediaFile: f}
			continue
		}
		if known.still++; known.given || known.still < stillLooks || now.Before(known.after) {
			continue
		}
		if known.given = true; f.isMedia() {
			complete = append(complete, f.source())
		}
	}
	for id := range w {
		if !there[id] {
			delete(w, id)
		}
	}
	return complete
}

// passing are the codes of failures that may pass.
var passing = []engine.Code{engine.CodeConflict, engine.CodeUnavailable, engine.CodeNoSpace, engine.CodeStorageLimit, engine.CodeNotFound, engine.CodeInternal}

// done returns a file to the watched ones if it wasn't added for a reason that may pass.
func (w watcher) done(a addition, now time.Time) {
	f := w[a.source.id]
	if f != nil && a.result == resultFailed && a.recording.ID == "" && slices.Contains(passing, engine.CodeOf(a.err)) {
		f.given, f.after = false, now.Add(retryAfter)
	}
}
