package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a progress bar. Without a terminal it shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

const progressSteps = 1000

func newProgress(w io.Writer, what string) progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(progressSteps,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowElapsedTimeOnFinish(),
	)}
}

// set shows the fraction that is done, from 0 to 1.
func (p progress) set(done float64) {
	if p.bar != nil {
		_ = p.bar.Set(min(progressSteps-1, int(done*progressSteps)))
	}
}

// describe changes what the bar is about.
func (p progress) describe(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
	}
}

// clear removes the bar until the next set.
func (p progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// end removes the bar.
func (p progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
