package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/onnx"
	"github.com/soundstage-dev/soundstage/engine"
)

// voiceModelFlags are the flags of a neural model of voices.
type voiceModelFlags struct {
	model, runtime string
}

func (o *voiceModelFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.model, "voice-model", "", "ONNX `file` of a neural model of voices; empty to learn the voices from the recording")
	f.StringVar(&o.runtime, "onnxruntime", "", "shared library `file` of ONNX Runtime, for --voice-model; empty to find it as the system does")
}

// open opens the model. Without --voice-model, the embedder is nil. Call done after use.
func (o voiceModelFlags) open(std streams) (embedder diarize.Embedder, done func(), err error) {
	if o.model == "" {
		if o.runtime != "" {
			return nil, nil, engine.Errorf(engine.CodeInvalid, "diarize", "--onnxruntime is only used with --voice-model.").WithHint("Set --voice-model.")
		}
		return nil, func() {}, nil
	}
	m, err := onnx.Open(o.model, onnx.Options{Library: o.runtime})
	if err != nil {
		return nil, nil, err
	}
	if _, ok := m.Known(); !ok {
		fmt.Fprintf(std.err, "soundstage: %s isn't a model that was tried with this program (SHA-256 %s).\n", o.model, m.SHA256())
	}
	return m, func() { _ = m.Close() }, nil
}
