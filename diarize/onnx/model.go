package onnx

import (
	"context"
	"sync"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Options are the options of Open.
type Options struct {
	Library string // path of ONNX Runtime's shared library; "" to find it as the system finds libraries
	Threads int    // of ONNX Runtime for one window; 0 for one
}

// Model is a neural model of voices. It is safe for concurrent use; one call computes at a time.
type Model struct {
	mu      sync.Mutex
	run     runner
	fbank   *fbank
	sum     string
	largest int // most windows in one run; 0 for any number
}

var _ diarize.Embedder = (*Model)(nil)

// runner runs a model on a tensor [windows, frames, 80] and returns its first output.
type runner interface {
	run(features []float32, windows, frames int) ([]float32, error)
	close() error
}

// Open opens a model file. Close it after use. Errors: CodeNotFound (the file), CodeInvalid (no model of voices, or a known name with
// another checksum), CodeTooLarge, CodeUnavailable (ONNX Runtime can't be loaded), CodeUnsupported (this build can't load it).
func Open(path string, o Options) (*Model, error) {
	data, sum, err := readModel(path)
	if err != nil {
		return nil, err
	}
	r, largest, err := newRunner(path, data, o)
	if err != nil {
		return nil, err
	}
	return &Model{run: r, fbank: newFbank(), sum: sum, largest: largest}, nil
}

// SHA256 returns the checksum of the file, in hexadecimal.
func (m *Model) SHA256() string { return m.sum }

// Known returns the public model that this is, if it is one.
func (m *Model) Known() (KnownModel, bool) { return known(m.sum) }

// Close frees the model.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.run.close()
}

// Embed implements diarize.Embedder.
func (m *Model) Embed(ctx context.Context, windows [][]int16) ([][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out [][]float32
	for len(windows) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := 1
		for n < len(windows) && len(windows[n]) == len(windows[0]) && n != m.largest {
			n++
		}
		vectors, err := m.embed(windows[:n])
		if err != nil {
			return nil, err
		}
		out, windows = append(out, vectors...), windows[n:]
	}
	return out, nil
}

// embed embeds windows of one length.
func (m *Model) embed(windows [][]int16) ([][]float32, error) {
	const op = "Embed"
	var features []float32
	for _, w := range windows {
		features = m.fbank.add(features, w)
	}
	n, frames := len(windows), framesOf(len(windows[0]))
	if frames == 0 {
		return nil, fault.Errorf(fault.CodeInvalid, op, "A window must have at least %d samples (got %d).", frameSize, len(windows[0]))
	}
	flat, err := m.run.run(features, n, frames)
	if err != nil {
		return nil, fault.Errorf(fault.CodeInternal, op, "The voice model failed.").Because(err)
	}
	if len(flat) == 0 || len(flat)%n != 0 {
		return nil, fault.Errorf(fault.CodeInvalid, op, "The voice model returned %d numbers for %d windows.", len(flat), n)
	}
	out := make([][]float32, n)
	for i := range out {
		out[i] = flat[i*len(flat)/n : (i+1)*len(flat)/n]
	}
	return out, nil
}
