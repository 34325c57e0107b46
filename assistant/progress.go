package assistant

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is the shortest time between two notifications about progress.
const progressEvery = 200 * time.Millisecond

// progress tells a client how much of a call is done, if the client asked for it.
type progress struct {
	ctx   context.Context
	req   *mcp.CallToolRequest
	token any

	mu   sync.Mutex
	done float64 // that was sent
	at   time.Time
}

func newProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	return &progress{ctx: ctx, req: req, token: req.Params.GetProgressToken(), done: -1}
}

// report sends a notification if there is something new. The protocol wants values that rise.
func (p *progress) report(done float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.token == nil || !(done > p.done) || now.Sub(p.at) < progressEvery {
		return
	}
	p.done, p.at = done, now
	_ = p.req.Session.NotifyProgress(p.ctx, &mcp.ProgressNotificationParams{ // if the client is gone, the call ends
		ProgressToken: p.token, Progress: done, Total: 1, Message: message,
	})
}
