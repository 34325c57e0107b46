package transcript

import "time"

// SampleRate is the rate of all decoded audio in the engine, in samples per second.
const SampleRate = 16000

// DiarizeOptions are hints for a Diarizer.
type DiarizeOptions struct {
	Speakers int // expected number; 0 when unknown
	Progress func(done float64)

	// Stereo says that the PCM has interleaved samples of two channels. Only an engine.StereoListener gets it.
	Stereo bool
}

// Turn is an interval of one speaker's speech: from Start up to, but not including, End.
type Turn struct {
	Start, End time.Duration
	Speaker    int     // 0-based, in order of first speech
	Confidence float64 // 0 to 1
	// Second is set if another speaker has a turn throughout this one, and is heard more clearly. Words go to that speaker.
	Second bool `json:",omitempty"`
}
