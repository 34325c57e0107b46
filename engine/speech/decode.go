package speech

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// sound is decoded media in a temporary file.
type sound struct {
	file   *os.File
	gone   bool // whether the file's name is already removed
	size   int64
	levels levels
	parts  []Part
}

func (s *sound) duration() time.Duration { return timeOf(s.size) }

// close removes the file.
func (s *sound) close() {
	_ = s.file.Close()
	if !s.gone {
		_ = os.Remove(s.file.Name())
	}
}

// decodeToFile decodes the media into a temporary file.
func (p Parts) decodeToFile(ctx context.Context, req engine.TranscribeRequest, done *partProgress) (*sound, error) {
	if p.Media == nil {
		return nil, engine.Errorf(engine.CodeUnavailable, "Transcribe", "No decoder is configured.").WithHint("Set Media.")
	}
	pcm, err := p.Media.Decode(ctx, req.Source)
	if err != nil {
		return nil, err
	}
	s, err := newSound()
	if err != nil {
		_ = pcm.Close()
		return nil, err
	}
	err = s.fill(ctx, pcm, req.Info.Duration, done)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.close()
		return nil, err
	}
	s.parts = s.cut(p.Limits)
	for _, part := range s.parts {
		done.all += part.Duration
	}
	return s, nil
}

// newSound creates a file and removes its name immediately, if the system allows it, so that no file is left after a crash.
func newSound() (*sound, error) {
	f, err := os.CreateTemp("", "soundstage-sound-*")
	if err != nil {
		return nil, tempFileError(err)
	}
	return &sound{file: f, gone: os.Remove(f.Name()) == nil}, nil
}

// block is the size of one read, in bytes.
const block = 100 * frameBytes

func (s *sound) fill(ctx context.Context, pcm io.Reader, of time.Duration, done *partProgress) error {
	buf := make([]byte, block)
	for {
		if ctx.Err() != nil {
			return canceled(ctx)
		}
		n, err := io.ReadFull(pcm, buf)
		n -= n % bytesPerSample
		for at := 0; at < n; at += frameBytes {
			s.levels = append(s.levels, energy(buf[at:min(at+frameBytes, n)]))
		}
		if _, err := s.file.Write(buf[:n]); err != nil {
			return tempFileError(err)
		}
		s.size += int64(n)
		done.decoded(s.duration(), of)
		switch {
		case err == io.EOF, err == io.ErrUnexpectedEOF:
			return nil
		case err != nil && ctx.Err() != nil:
			return canceled(ctx)
		case err != nil:
			return err
		}
	}
}

// tempFileError returns the error for a temporary file that can't be written.
func tempFileError(err error) error {
	if fault.NoSpace(err) {
		return engine.Errorf(engine.CodeNoSpace, "Transcribe", "The disk is full.").
			WithHint("Free some space in the folder for temporary files, then try again.").Because(err).Transient()
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || fault.ReadOnly(err) {
		return engine.Errorf(engine.CodeUnavailable, "Transcribe", "The folder for temporary files is not writable.").
			WithHint("Set TMPDIR to a folder that can be written to.").Because(err)
	}
	return &engine.Error{Code: engine.CodeInternal, Op: "Transcribe", Err: err}
}
