package capacity

import (
	"fmt"
	"strings"
)

// Step is what a step of an hour of audio costs.
type Step struct {
	Name    string
	CPU     float64 // seconds of one core, those of ffmpeg included
	Stored  float64 // bytes that stay
	Network float64 // bytes to or from the outside
	Pipe    float64 // bytes between processes of a machine
	Source  Source
}

// hourCosts measures the steps.
const hourCosts = "`go test ./internal/capacity -run '^$' -bench HourCosts -benchtime 1x`"

// Steps returns the steps of an hour of MP3 at 128 kbit/s, in order. The speech model runs elsewhere and isn't among them.
func Steps() []Step {
	return []Step{
		{"upload: the bytes are stored and synced", 0.056, 57.6e6, 57.6e6, 0, Measured},
		{"probe", 0.6, 0, 0, 0, Measured},
		{"decode; once more for a speech service that returns words without speakers", 1.5, 0, 0, 115.2e6, Measured},
		{"speakers", 6.7, 0, 0, 0, Measured},
		{"rows, search index, jobs, and seven texts", 0.73, 279e3, 0, 0, Measured},
		{"seven webhooks", 0.09, 9e3, 1.5e3, 0, Measured},
		{"exports: vtt, srt, docx, pdf", 0.04, 0, 313e3, 0, Measured},
		{"suggestions of clips", 0.005, 0, 0, 0, Measured},
		{"a clip of 30 s from video, with captions, downloaded once", 13.6, 8.8e6, 8.8e6, 0, Measured},
		{"or an audiogram of 30 s", 3.9, 1.6e6, 1.6e6, 0, Measured},
		{"the media are played once", 0, 0, 57.6e6, 0, Assumed},
	}
}

// Hours is what a number of hours of audio per day needs, with one video clip for each.
type Hours struct {
	PerDay  float64
	CPU     float64 // seconds of one core for each hour of audio
	Cores   float64 // at the peak, at the highest utilisation
	Stored  float64 // bytes per day
	Kept    float64 // bytes after Retention
	Network float64 // bytes per day
	Mbit    float64 // Mbit/s at the peak
}

// Hours returns what a number of hours per day needs. Each hour has one video clip, so the audiogram doesn't count.
func (m Model) Hours(perDay float64, steps []Step) Hours {
	h := Hours{PerDay: perDay}
	for _, s := range steps {
		if strings.HasPrefix(s.Name, "or ") {
			continue
		}
		h.CPU += s.CPU
		h.Stored += perDay * s.Stored
		h.Network += perDay * s.Network
	}
	peak := m.value[Peak] / secondsPerDay
	h.Cores = perDay * h.CPU * peak / m.value[Headroom]
	h.Mbit = h.Network * 8 / 1e6 * peak
	h.Kept = h.Stored * m.value[Retention]
	return h
}

// HourTable returns the costs of an hour and an example as Markdown, for docs/scale.md.
func HourTable(inputs []Input, steps []Step) string {
	var b strings.Builder
	b.WriteString("| step | CPU | stored | network | pipes | source |\n|---|---|---|---|---|---|\n")
	cell := func(n float64, unit string) string {
		if n == 0 {
			return ""
		}
		return quantity(n, unit)
	}
	for _, s := range steps {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", s.Name, cell(s.CPU, "s"), cell(s.Stored, "bytes"), cell(s.Network, "bytes"), cell(s.Pipe, "bytes"), s.Source)
	}
	m := New(inputs)
	h := m.Hours(1000, steps)
	fmt.Fprintf(&b, "\n*Measured* is by %s, on two shared cores with rows in SQLite.\n", hourCosts)
	fmt.Fprintf(&b, "\nAn example: **%s hours a day**, each with one clip from video. %s s of CPU for each hour are %s s a day. The busiest minute has\n"+
		"%s × the mean load, and cores may be busy for %s %% of it. So you need **%s cores**, of which %s are for clips, without the speech model. Disk\n"+
		"grows by **%s a day**, %s in %s days. The network carries **%s a day**, %s Mbit/s in the busiest minute. With S3, workers read\n"+
		"the media once more for each decoding: %s a day inside your network.\n",
		count(h.PerDay), count(h.CPU), count(h.CPU*h.PerDay), count(m.value[Peak]), count(100*m.value[Headroom]), count(h.Cores),
		count(h.Cores*clipCPU(steps)/h.CPU), size(h.Stored), size(h.Kept), count(m.value[Retention]), size(h.Network), count(h.Mbit), size(h.PerDay*steps[0].Stored))
	return b.String()
}

// clipCPU returns the CPU of the video clip.
func clipCPU(steps []Step) float64 {
	for _, s := range steps {
		if strings.HasPrefix(s.Name, "a clip") {
			return s.CPU
		}
	}
	return 0
}
