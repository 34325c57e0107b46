package render

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// durationIsGuess reports whether a format consists of frames only. Without a header, ffprobe estimates the duration from
// the first frames' bit rate and the size. With a header, the duration may be wrong because the file was joined from
// several.
func durationIsGuess(format string) bool {
	return slices.Contains([]string{"mp3", "aac", "amr"}, format)
}

// countDuration replaces the durations of info by those of the packets, exact to one packet (at most 64 ms of audio). It
// reads the file once without decoding: 0.3 s for an hour of MP3.
func (f FFmpeg) countDuration(ctx context.Context, op, program string, file localFile, r report, info *engine.MediaInfo) error {
	p, err := f.start(ctx, program, packetArgs(file.path, r.Program.Version))
	if err != nil {
		return startError(ctx, op, err)
	}
	defer p.close()
	ends := map[int]time.Duration{}
	longest := time.Duration(0)
	lines := bufio.NewScanner(patient{p})
	lines.Buffer(make([]byte, 64<<10), 64<<10)
	for lines.Scan() {
		if stream, end, ok := packetEnd(lines.Text()); ok {
			ends[stream] = max(ends[stream], end)
			longest = max(longest, end)
		}
	}
	_, _ = io.Copy(io.Discard, p) // a line that is too long stops the scanner
	if err := failure(op, p, p.wait(), file, true); err != nil {
		return err
	}
	start, _ := r.Format.StartTime.parse()
	if longest <= start {
		return nil // no packet has a time: keep the container's duration
	}
	info.Duration = longest - start
	if a := r.audio(); a != nil {
		start, _ := a.StartTime.parse()
		info.Audio.Duration = max(ends[a.Index]-start, 0)
	}
	return nil
}

// patient waits before each read until there are many lines. Without -o, ffprobe writes each one on its own, and would wake a reader
// 138,000 times for an hour of MP3.
type patient struct{ r io.Reader }

func (p patient) Read(b []byte) (int, error) {
	time.Sleep(3 * time.Millisecond) // as a pipe holds 64 KiB, ffprobe isn't delayed
	return p.r.Read(b)
}

// packetEnd parses a line of ffprobe, "0,1.234000,0.024000".
func packetEnd(line string) (stream int, end time.Duration, ok bool) {
	number, times, _ := strings.Cut(line, ",")
	from, length, ok := strings.Cut(times, ",")
	if !ok {
		return 0, 0, false
	}
	length, _, _ = strings.Cut(length, ",")
	stream, err := strconv.Atoi(number)
	start, known := seconds(from).parse()
	return stream, start + seconds(length).length(), err == nil && known
}
