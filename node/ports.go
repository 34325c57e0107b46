package node

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// The optional abilities of a Store, besides api.Limiter, which makes rate limits exact among nodes. A Store that nodes in several processes
// share has all of them. Blobs may be Readier, too.

// Readier reports whether it can be used now.
type Readier interface {
	// Ready returns nil, or why the store or storage can't be used. Of a database, that includes a schema of another version.
	Ready(ctx context.Context) error
}

// ClockedStore has a clock on which all nodes agree: the database server's.
type ClockedStore interface{ Clock() engine.Clock }

// Agreements are named values that all nodes share.
type Agreements interface {
	// Agree stores value under name if nothing is stored, or if old is not "" and is what is stored. It returns what is stored then. It is
	// atomic among nodes.
	Agree(ctx context.Context, name, old, value string) (stored string, err error)
}

// DepthStore counts the jobs that are due and wait for a worker, by class.
type DepthStore interface {
	Depth(ctx context.Context) (map[string]int, error)
}

// RetryingStore counts, since it was opened, the attempts of transactions that it repeated: because of conflicts with others, and because a
// connection was lost.
type RetryingStore interface {
	Stats() (conflicts, losses int64)
}

// JobTracer is an optional ability of a Store's transactions: it keeps a trace context with a job. Both are W3C traceparent values, at most
// 55 characters. SetJobTrace is called before Enqueue of the job, which may then do nothing because of the job's Key. JobTrace returns "" for a
// job that has none.
type JobTracer interface {
	SetJobTrace(id queue.ID, parent string) error
}

// JobTraceReader is JobTracer for reading, of engine.ReadTx.
type JobTraceReader interface {
	JobTrace(id queue.ID) (parent string, err error)
}
