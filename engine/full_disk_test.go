package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A render that meets a full disk waits a minute and tries again.
func TestFullDiskIsRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		s := newStage(t, engine.Config{Renderer: draws(func(ctx context.Context, req engine.RenderRequest) (string, error) {
			if at = append(at, time.Now()); len(at) < 3 {
				return "", engine.Errorf(engine.CodeNoSpace, "", "The disk is full.")
			}
			return drawsSlowly(0)(ctx, req)
		})})
		defer s.start()()
		r, err := s.WaitRender(t.Context(), s.caller, s.render(engine.NewRender{}).ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, r.Status, r.Message)
		require.GreaterOrEqual(t, at[2].Sub(at[1]), time.Minute)
	})
}
