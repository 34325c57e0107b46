package media_test

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// claims is a Reader that believes what a file claims.
type claims struct{ length time.Duration }

func (c claims) Probe(context.Context, media.Source) (media.Info, error) {
	return media.Info{Format: "wav", Duration: c.length, Audio: &media.Audio{Codec: "pcm_s16le", SampleRate: 16_000, Channels: 1}}, nil
}

func (c claims) Decode(context.Context, media.Source) (io.ReadCloser, error) {
	return io.NopCloser(io.LimitReader(nil, 0)), nil
}

// A file that claims days of sound is refused before anybody decodes it.
func ExampleLimit() {
	reader := media.Limit(claims{555 * time.Hour}, media.DefaultMaxDuration)
	_, err := reader.Probe(context.Background(), nil)
	fmt.Println(err)
	// Output:
	// Probe: The media must be at most 12 h long: duration 555h0m0s
}
