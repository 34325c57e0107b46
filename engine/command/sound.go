package command

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// soundName is the name of the WAV file.
const soundName = "audio.wav"

// maxSound is the most bytes of sound that a WAV file can hold: 37 h.
const maxSound = 1<<32 - 1 - speech.WAVHeaderSize

// sound is the WAV file for a program.
type sound struct {
	path string
	size int64 // bytes of sound
	hash [sha256.Size]byte
}

// save decodes the media into a WAV file. It returns the errors of Media, CodeNoSpace, CodeTooLarge, and CodeInternal if the folder isn't
// writable.
func (t *Transcriber) save(ctx context.Context, req engine.TranscribeRequest, folder string, tell func(done float64)) (sound, error) {
	s := sound{path: filepath.Join(folder, soundName)}
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return s, fileError(err)
	}
	defer func() { _ = file.Close() }()
	pcm, err := t.cfg.Media.Decode(ctx, req.Source)
	if err != nil {
		return s, err
	}
	if _, err = file.Write(speech.WAVHeader(-1)); err != nil {
		return s, errors.Join(fileError(err), pcm.Close())
	}
	hash := sha256.New()
	expected := req.Info.Duration.Seconds() * transcript.SampleRate * 2
	err = copySound(io.MultiWriter(file, hash), pcm, func(written int64) {
		if s.size = written; expected > 0 {
			tell(float64(written) / expected)
		}
	})
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		_, err = file.WriteAt(speech.WAVHeader(s.size), 0)
		err = wrapFileError(err)
	}
	if err == nil {
		err = wrapFileError(file.Close())
	}
	s.hash = [sha256.Size]byte(hash.Sum(nil))
	return s, err
}

// copySound copies the sound and reports the bytes written. It returns errors of the reader unchanged.
func copySound(to io.Writer, from io.Reader, tell func(written int64)) error {
	written := int64(0)
	for b := make([]byte, 256<<10); ; {
		n, err := io.ReadFull(from, b)
		if written += int64(n); written > maxSound {
			return engine.Errorf(engine.CodeTooLarge, op, "The media is too long for a WAV file, which holds 37 hours.")
		}
		if _, writeErr := to.Write(b[:n]); writeErr != nil {
			return fileError(writeErr)
		}
		tell(written)
		if err == io.EOF || err == io.ErrUnexpectedEOF { // io.ReadFull returns them unwrapped
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func wrapFileError(err error) error {
	if err == nil {
		return nil
	}
	return fileError(err)
}
