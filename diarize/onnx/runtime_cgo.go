//go:build onnxruntime && cgo

package onnx

import (
	"runtime"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Supported says whether this build can load ONNX Runtime.
const Supported = true

// loading loads the library of the first model; a process has one.
var loading sync.Mutex

func loadLibrary(path string) error {
	loading.Lock()
	defer loading.Unlock()
	if ort.IsInitialized() {
		return nil
	}
	if path == "" {
		path = map[string]string{"windows": "onnxruntime.dll", "darwin": "libonnxruntime.dylib"}[runtime.GOOS]
	}
	if path == "" {
		path = "libonnxruntime.so"
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fault.Errorf(fault.CodeUnavailable, "OpenVoiceModel", "ONNX Runtime can't be loaded from %s.", path).Because(err).
			WithHint("Install ONNX Runtime 1.24 or later, and name its shared library: --onnxruntime, or Options.Library.")
	}
	return nil
}

// session is a runner on ONNX Runtime.
type session struct{ *ort.DynamicAdvancedSession }

// newRunner opens a model. largest is the most windows in one run, 0 for any number.
func newRunner(path string, data []byte, o Options) (r runner, largest int, err error) {
	const op = "OpenVoiceModel"
	if err := loadLibrary(o.Library); err != nil {
		return nil, 0, err
	}
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(data)
	if err != nil {
		return nil, 0, fault.Errorf(fault.CodeInvalid, op, "%s is no ONNX model that ONNX Runtime can load.", path).Because(err)
	}
	refuse := func(what string) error {
		return fault.Errorf(fault.CodeInvalid, op, "%s is no model of voices: %s.", path, what).WithHint("Its input must be [windows, frames, 80].")
	}
	if len(inputs) != 1 || len(outputs) == 0 {
		return nil, 0, refuse("it doesn't have one input and an output")
	}
	in := inputs[0]
	if d := in.Dimensions; len(d) != 3 || d[1] > 0 || d[2] > 0 && d[2] != melBands || in.DataType != ort.TensorElementDataTypeFloat {
		return nil, 0, refuse("its input is " + in.String())
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, 0, fault.Errorf(fault.CodeInternal, op, "ONNX Runtime failed.").Because(err)
	}
	defer func() { _ = options.Destroy() }()
	if err := options.SetIntraOpNumThreads(max(o.Threads, 1)); err != nil {
		return nil, 0, fault.Errorf(fault.CodeInvalid, op, "ONNX Runtime refuses %d threads.", o.Threads).Because(err)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(data, []string{in.Name}, []string{outputs[0].Name}, options)
	if err != nil {
		return nil, 0, fault.Errorf(fault.CodeInvalid, op, "%s is no ONNX model that ONNX Runtime can run.", path).Because(err)
	}
	return session{s}, max(int(in.Dimensions[0]), 0), nil
}

func (s session) run(features []float32, windows, frames int) ([]float32, error) {
	input, err := ort.NewTensor(ort.NewShape(int64(windows), int64(frames), melBands), features)
	if err != nil {
		return nil, err
	}
	defer func() { _ = input.Destroy() }()
	outputs := []ort.Value{nil} // the library allocates the output
	if err := s.Run([]ort.Value{input}, outputs); err != nil {
		return nil, err
	}
	defer func() { _ = outputs[0].Destroy() }()
	tensor, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return nil, fault.Errorf(fault.CodeInvalid, "Embed", "The output is no tensor of 32-bit numbers.")
	}
	return slices.Clone(tensor.GetData()), nil
}

func (s session) close() error { return s.Destroy() }
