package emulatortest

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Wait waits until a resource has a status. It sends no requests, so the request log has only the test's own. The test fails
// immediately for an unknown resource, one with another final status, and after the WithWaitLimit. Ids and statuses are those of
// /v1.
type Wait struct{ world *World }

// Recording waits for the status of a recording's transcript, such as "completed".
func (w Wait) Recording(id, status string) engine.Recording {
	w.world.t.Helper()
	return wait(w, "recording", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Recording, string, error) {
		r, _, err := e.GetRecording(ctx, c, engine.RecordingID(id))
		return r, string(r.TranscriptStatus), err
	})
}

// Transcript waits for the status of a transcript of a URL.
func (w Wait) Transcript(id, status string) engine.Transcript {
	w.world.t.Helper()
	return wait(w, "transcript", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Transcript, string, error) {
		t, err := e.GetTranscript(ctx, c, engine.TranscriptID(id))
		return t, string(t.Status), err
	})
}

// Import waits for the status of an import.
func (w Wait) Import(id, status string) engine.Import {
	w.world.t.Helper()
	return wait(w, "import", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Import, string, error) {
		i, err := e.GetImport(ctx, c, engine.ImportID(id))
		return i, string(i.Status), err
	})
}

// Output waits for the status of generated content.
func (w Wait) Output(id, status string) engine.Output {
	w.world.t.Helper()
	return wait(w, "output", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Output, string, error) {
		o, err := e.GetOutput(ctx, c, engine.OutputID(id))
		return o, string(o.Status), err
	})
}

// Chat waits for the status of a chat.
func (w Wait) Chat(id, status string) engine.Chat {
	w.world.t.Helper()
	return wait(w, "chat", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Chat, string, error) {
		chat, err := e.GetChat(ctx, c, engine.ChatID(id))
		return chat, string(chat.Status), err
	})
}

// Render waits for the status of a render.
func (w Wait) Render(id, status string) engine.Render {
	w.world.t.Helper()
	return wait(w, "render", id, status, func(ctx context.Context, e *engine.Engine, c engine.Caller) (engine.Render, string, error) {
		r, err := e.GetRender(ctx, c, engine.RenderID(id))
		return r, string(r.Status), err
	})
}

// finalStatuses are the statuses that a resource never leaves.
var finalStatuses = map[string]bool{"completed": true, "failed": true, "error": true, "canceled": true}

// pollInterval is how often wait checks a resource without a notification, since a reset may have replaced the engine.
const pollInterval = time.Second

// wait calls get after each change until the resource has the status.
func wait[T any](w Wait, kind, id, status string, get func(context.Context, *engine.Engine, engine.Caller) (T, string, error)) T {
	world := w.world
	world.t.Helper()
	ctx := context.Background()
	limit := time.NewTimer(world.server.limit)
	defer limit.Stop()
	for {
		e := world.Engine()
		changes := e.Changes()
		owner, err := e.Authenticate(ctx, world.Secret)
		if err != nil {
			world.t.Fatalf("waiting for the %s %s: %s", kind, id, engine.Message(err))
		}
		v, now, err := get(ctx, e, owner)
		switch {
		case err != nil:
			world.t.Fatalf("waiting for the %s %s: %s", kind, id, engine.Message(err))
		case now == status:
			return v
		case finalStatuses[now]:
			world.t.Fatalf("the %s %s is %s and can't become %s", kind, id, now, status)
		}
		timer := time.NewTimer(pollInterval)
		select {
		case <-changes:
		case <-timer.C:
		case <-limit.C:
			world.t.Fatalf("the %s %s is still %s after %v, not %s", kind, id, now, world.server.limit, status)
		}
		timer.Stop()
	}
}
