package capacity_test

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"
)

// BenchmarkCapacity runs a day of jobs through the real queue, under a virtual clock, and reports how long they waited. The baseline is a
// queue in order of arrival.
//
//	go test ./internal/capacity -run '^$' -bench Capacity -benchtime 1x
func BenchmarkCapacity(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, c := range []cluster{
		{processes: 1, slots: 32}, {processes: 8, slots: 4}, {processes: 32, slots: 1}, {processes: 1, slots: 32, fifo: true},
	} {
		name := "fair"
		if c.fifo {
			name = "fifo"
		}
		b.Run(fmt.Sprintf("%s/%dx%d", name, c.processes, c.slots), func(b *testing.B) {
			d := busyDay(1)
			var f figures
			for b.Loop() {
				f = figuresOf(simulate(b, c, d.seed, forever, d.arrivals()), c)
			}
			f.report(b)
		})
	}
}

// report adds the figures to the benchmark's.
func (f figures) report(b *testing.B) {
	for _, group := range []struct {
		name   string
		choose func(ran) bool
	}{
		{"flood/ordinary", func(j ran) bool { return j.tenant != flooder && f.during(j) }},
		{"flood/first-job", func(j ran) bool { return j.tenant != flooder && f.during(j) && j.alone }},
		{"flood/flooder", func(j ran) bool { return j.tenant == flooder }},
		{"else/ordinary", func(j ran) bool { return j.tenant != flooder && !f.during(j) }},
		{"else/largest", func(j ran) bool { return j.tenant == 0 && !f.during(j) }},
	} {
		w := f.waits(group.choose)
		b.ReportMetric(w.quantile(0.5).Seconds(), group.name+"-p50-s")
		b.ReportMetric(w.quantile(0.99).Seconds(), group.name+"-p99-s")
		b.ReportMetric(w.quantile(1).Seconds(), group.name+"-max-s")
	}
	b.ReportMetric(100*f.waits(func(j ran) bool { return j.tenant != flooder && f.during(j) && j.alone }).over(2*time.Second), "flood/first-job-over-2s-%")
	b.ReportMetric((f.to - f.from).Minutes(), "flood/length-min")
	b.ReportMetric(100*f.utilisation(f.from, f.to), "flood/utilisation-%")
	b.ReportMetric(100*f.utilisation(0, 24*time.Hour), "utilisation-%")
	b.ReportMetric(f.fairness(), "fairness")
	b.ReportMetric(float64(len(f.jobs)), "jobs")
}
