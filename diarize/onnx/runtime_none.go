//go:build !onnxruntime || !cgo

package onnx

import "github.com/soundstage-dev/soundstage/engine/fault"

// Supported says whether this build can load ONNX Runtime.
const Supported = false

func newRunner(string, []byte, Options) (runner, int, error) {
	return nil, 0, fault.Errorf(fault.CodeUnsupported, "OpenVoiceModel", "This build can't run voice models.").
		WithHint("Build it with cgo and ONNX Runtime: CGO_ENABLED=1 go build -tags onnxruntime ./cmd/soundstage")
}
