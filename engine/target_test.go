package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A focus is auto, the centre, or a point inside the picture. Errors have the value and say what is possible.
func TestFocus(t *testing.T) {
	t.Parallel()
	for focus, want := range map[engine.Focus][2]float64{
		engine.FocusAt(0.25, 1): {0.25, 1}, engine.FocusCentre: {0.5, 0.5}, "0,0": {}, " 0.3 , 0.5 ": {0.3, 0.5}, engine.FocusAt(1.0/3, 0): {1.0 / 3, 0},
	} {
		x, y, ok := focus.Point()
		require.True(t, ok, focus)
		require.Equal(t, want, [2]float64{x, y}, focus)
		require.NoError(t, focus.Validate())
	}
	for _, focus := range []engine.Focus{"", engine.FocusAuto} {
		_, _, ok := focus.Point()
		require.False(t, ok, focus)
		require.NoError(t, focus.Validate())
	}
	for _, focus := range []engine.Focus{"center", "0.5", "0.5,", "1.1,0.5", "-0.1,0.5", "NaN,0", "inf,0", "0.5,0.5,0.5", "0.5;0.5"} {
		err := focus.Validate()
		requireCode(t, engine.CodeInvalid, err)
		require.Contains(t, err.Error(), string(focus))
	}
}
