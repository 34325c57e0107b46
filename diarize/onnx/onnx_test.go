package onnx_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize/onnx"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	// A file that doesn't exist is not found.
	_, err := onnx.Open(filepath.Join(t.TempDir(), "none.onnx"), onnx.Options{})
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	// A folder is no model.
	_, err = onnx.Open(t.TempDir(), onnx.Options{})
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	// A file with the name of a known model must be that model.
	for _, k := range onnx.Known {
		_, err = onnx.Open(write(t, k.File, tiny(0, 80)), onnx.Options{})
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		require.ErrorContains(t, err, k.SHA256)
	}
	// Without ONNX Runtime in the build, the error says how to get it.
	if !onnx.Supported {
		_, err = onnx.Open(write(t, "tiny.onnx", tiny(0, 80)), onnx.Options{})
		require.Equal(t, fault.CodeUnsupported, fault.CodeOf(err))
		require.ErrorContains(t, err, "can't run voice models")
	}
}
