//go:build unix

package formats_test

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// cpuTime returns the processor time of this process so far, including the garbage collector. On a busy machine it is more
// reliable than wall time.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkWrite measures each format with a talk of 3 h, 30,000 words.
func BenchmarkWrite(b *testing.B) {
	run := func(name string, f formats.Format, language transcript.Language, hours float64) {
		b.Run(name, func(b *testing.B) {
			t := talk(b, language, hours)
			b.ReportAllocs()
			before := cpuTime()
			for b.Loop() {
				if err := f.Write(io.Discard, t, formats.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
	for _, f := range formats.All() {
		languages := []transcript.Language{"en"}
		switch f.Name {
		case "pdf", "vtt", "srt", "txt":
			languages = []transcript.Language{"en", "hi", "ja"}
		}
		for _, language := range languages {
			run(f.Name+"/"+string(language)+"/3h", f, language, 3)
		}
		if f.Name != "stl" { // EBU STL ends at 24 hours
			run(f.Name+"/en/30h", f, "en", 30)
		}
	}
}

// BenchmarkCues measures building cues alone, as burnt-in captions need them.
func BenchmarkCues(b *testing.B) {
	for _, language := range []transcript.Language{"en", "de", "hi", "ja", "zh"} {
		b.Run(string(language), func(b *testing.B) {
			t := talk(b, language, 3)
			b.ReportAllocs()
			before := cpuTime()
			for b.Loop() {
				captions.Build(t, nil, captions.Options{})
			}
			b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkLimitGrowth compares writing the captions of 30 h with writing those of 3 h ten times. Both allocate as much. It does so several
// times, since only some writes collect garbage, for all.
func BenchmarkLimitGrowth(b *testing.B) {
	const factor, times = 10, 8
	f, _ := formats.Lookup("vtt")
	write := func(hours float64, times int) func() float64 {
		t := talk(b, "en", hours)
		return turns.CPU(func() {
			for range times {
				if err := f.Write(io.Discard, t, formats.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	grown := turns.Compare(turns.Way{Name: "long", Cost: write(3*factor, times)}, turns.Way{Name: "short", Cost: write(3, times*factor)}).Rounds(5)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	growth := grown.Ratio("long", "short")
	turns.Spread{Low: factor * growth.Low, Median: factor * growth.Median, High: factor * growth.High}.Report(b, "growth")
}
