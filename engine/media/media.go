package media

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Source is a piece of media that can be read any number of times.
type Source interface {
	// Open reads n bytes from off; n < 0 reads to the end.
	Open(ctx context.Context, off, n int64) (io.ReadCloser, error)
	Size() int64
}

// LocalSource is an optional ability of a Source that is a file of this machine.
type LocalSource interface {
	Path() (string, error)
}

// HeldSource is an optional ability of a Source that can be copied to a file of this machine, which several readers share.
type HeldSource interface {
	// Hold returns the path of the file, which stays until release is called. Callers only read it.
	Hold(ctx context.Context) (path string, release func(), err error)
}

// Reader reads media files.
type Reader interface {
	// Probe describes the media. CodeBadMedia when it can't be read as media.
	Probe(ctx context.Context, src Source) (Info, error)
	// Decode streams the first audio stream as 16 kHz mono signed 16-bit little-endian PCM. The caller closes it; Close returns a decoder
	// error that ended the stream early. CodeBadMedia when there is no audio.
	Decode(ctx context.Context, src Source) (io.ReadCloser, error)
}

// StereoReader is an optional ability of a Reader: it keeps two channels apart.
type StereoReader interface {
	// DecodeStereo is Decode for media of two channels, whose samples are interleaved. CodeUnavailable when it can't keep them apart.
	DecodeStereo(ctx context.Context, src Source) (io.ReadCloser, error)
}

// DecodeStereo decodes media of two channels, and reports whether they are apart. Not every r can do that for every file; then the sound is that
// of Decode. The errors are those of Decode.
func DecodeStereo(ctx context.Context, r Reader, src Source) (pcm io.ReadCloser, apart bool, err error) {
	if s, ok := r.(StereoReader); ok {
		pcm, err := s.DecodeStereo(ctx, src)
		if err == nil || fault.CodeOf(err) != fault.CodeUnavailable {
			return pcm, err == nil, err
		}
	}
	pcm, err = r.Decode(ctx, src)
	return pcm, false, err
}

// Info is the result of Probe.
type Info struct {
	Format   string        // the demuxer's name: "wav", "mov,mp4,m4a,3gp,3g2,mj2"
	Duration time.Duration // of the longest stream; 0 when unknown
	Language string        // ISO 639 tag of the audio stream, as written in the file; "" when there is none
	Title    string        // the title tag, or ""
	Audio    *Audio        // nil without audio
	Video    *Video        // nil without video; cover art is not video
}

// CheckSpeech returns CodeBadMedia for media without enough audio to transcribe.
func (i Info) CheckSpeech() error {
	const op = "Transcribe"
	switch {
	case i.Audio == nil:
		return fault.Errorf(fault.CodeBadMedia, op, "The media has no audio stream.")
	case i.Duration < MinSpeech:
		return fault.Errorf(fault.CodeBadMedia, op, "The audio is too short: at least 160 milliseconds are needed.")
	}
	return nil
}

// Audio describes the first audio stream.
type Audio struct {
	Codec      string
	SampleRate int // samples per second
	Channels   int
	Duration   time.Duration // 0 when unknown
}

// Video describes the first video stream.
type Video struct {
	Codec         string
	Width, Height int     // pixels, as stored
	FrameRate     float64 // frames per second
}
