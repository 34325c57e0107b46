package main

import (
	"context"
	"errors"
	"io"
)

// errEOF is the cause of a context that untilEOF ended.
var errEOF = errors.New("standard input ended")

// untilEOF returns a context that ends when the reader does. A program that starts a sandbox holds the other end of a pipe, which every
// system closes when that program ends, even if it is killed. So no sandbox outlives the tests that it belongs to.
func untilEOF(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in) // an error means as well that nothing more will come
		cancel(errEOF)
	}()
	return ctx
}
