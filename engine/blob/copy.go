package blob

import (
	"context"
	"io"
	"sync"
)

// Copy copies bytes until they end or ctx does. When ctx is done, it returns the cause.
func Copy(ctx context.Context, to io.Writer, from io.Reader) error {
	buf := copyBuffers.Get().(*[256 << 10]byte)
	defer copyBuffers.Put(buf)
	_, err := io.CopyBuffer(onlyWriter{to}, &ctxReader{ctx, from}, buf[:])
	return err
}

// copyBuffers are reused, because most blobs are smaller than one.
var copyBuffers = sync.Pool{New: func() any { return new([256 << 10]byte) }}

// onlyWriter hides ReadFrom, so that CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }

// ctxReader stops reading when its context is done.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *ctxReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}
