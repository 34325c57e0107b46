package main

import (
	"context"
	"errors"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/startgc"
)

// sandbox is a running server with its ready file.
type sandbox struct {
	*emulator.Server
	stopped chan error // why the server stopped
	ready   readyFile
	capsule string // file to write at exit; "" for none
}

// The GOGC of a sandbox and of all other commands, unless the environment sets one. Three times Go's default makes a sandbox's slowest responses
// under load about 10 % faster.
const sandboxGC, defaultGC = 300, 100

// openSandbox starts a sandbox and writes its ready file. If ctx ends after the sandbox has begun to answer, that is no error: the caller stops the
// sandbox as at any later time.
func openSandbox(ctx context.Context, f sandboxFlags) (*sandbox, error) {
	startgc.Set(sandboxGC)
	ready := readyFile{path: f.ready}
	if err := ready.clear(); err != nil {
		return nil, err
	}
	checked := make(chan error, 1)
	checking, endCheck := context.WithCancel(ctx)
	defer endCheck()
	go func() { // concurrent because it takes as long as the rest of the start
		if f.FFmpegOptional {
			checked <- nil
			return
		}
		checked <- checkFFmpegVersion(checking, f.FFmpeg)
	}()
	server, err := emulator.New(ctx, f.Options)
	if err != nil {
		return nil, err
	}
	if err := <-checked; err != nil && ctx.Err() == nil {
		return nil, errors.Join(err, server.Close())
	}
	if f.capsule != "" {
		err = server.StartCapsule(context.WithoutCancel(ctx), "")
	}
	if err = errors.Join(err, ready.write(sandboxReadiness(server, f.Options))); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	s := &sandbox{Server: server, stopped: make(chan error, 1), ready: ready, capsule: f.capsule}
	go func() { s.stopped <- server.Wait() }()
	return s, nil
}

// close removes the ready file, drains the server, and writes the capsule.
func (s *sandbox) close() error {
	return errors.Join(s.ready.remove(), s.Close(), s.writeCapsule())
}
