package capacity_test

import (
	"slices"
	"time"
)

// figures summarise what happened to the jobs of a day.
type figures struct {
	jobs    []ran
	workers int
	from    time.Duration // of the flood's arrival
	to      time.Duration // when no job is waiting any more that arrived since
}

func figuresOf(jobs []ran, c cluster) figures {
	f := figures{jobs: jobs, workers: c.processes * c.slots}
	for _, j := range jobs {
		if j.tenant == flooder {
			f.from, f.to = j.at, max(f.to, j.started)
		}
	}
	for _, j := range jobs { // in order of arrival
		if f.during(j) {
			f.to = max(f.to, j.started)
		}
	}
	return f
}

// waits returns the sorted waits of the jobs that are chosen.
func (f figures) waits(choose func(ran) bool) waits {
	var all waits
	for _, j := range f.jobs {
		if choose(j) {
			all = append(all, j.wait())
		}
	}
	slices.Sort(all)
	return all
}

// during reports whether a job arrived during the flood.
func (f figures) during(j ran) bool { return j.at >= f.from && j.at <= f.to }

// waits are sorted.
type waits []time.Duration

// quantile returns the wait that a share of all jobs doesn't exceed.
func (w waits) quantile(share float64) time.Duration {
	if len(w) == 0 {
		return 0
	}
	return w[min(int(share*float64(len(w))), len(w)-1)]
}

// over returns the share of the waits that are longer than limit.
func (w waits) over(limit time.Duration) float64 {
	n, _ := slices.BinarySearch(w, limit+1)
	return float64(len(w)-n) / float64(max(len(w), 1))
}

// utilisation returns the share of the workers' time in which they worked.
func (f figures) utilisation(from, to time.Duration) float64 {
	var worked time.Duration
	for _, j := range f.jobs {
		worked += overlap(j.started, j.end(), from, to)
	}
	return worked.Seconds() / ((to - from).Seconds() * float64(f.workers))
}

func overlap(from, to, begin, end time.Duration) time.Duration {
	return max(0, min(to, end)-max(from, begin))
}

// fairness returns Jain's index (Jain, Chiu, Hawe, 1984) of what tenants received in the hour after the flood, relative to their max-min
// fair share of the workers: 1 if all received the same part of it, 1/n if one of n tenants received everything.
func (f figures) fairness() float64 {
	begin, end := f.from, f.from+time.Hour
	wanted, received := map[int]time.Duration{}, map[int]time.Duration{}
	for _, j := range f.jobs {
		ideal := max(j.at, begin)
		if j.started < begin {
			ideal = j.started
		}
		if part := overlap(ideal, ideal+j.work, begin, end); part > 0 {
			wanted[j.tenant] += part
			received[j.tenant] += overlap(j.started, j.end(), begin, end)
		}
	}
	level := waterLevel(wanted, time.Duration(f.workers)*time.Hour)
	var sum, squares float64
	for tenant, want := range wanted {
		x := received[tenant].Seconds() / min(want, level).Seconds()
		sum += x
		squares += x * x
	}
	return sum * sum / (float64(len(wanted)) * squares)
}

// waterLevel returns the largest max-min fair share of a supply: tenants that want less receive what they want.
func waterLevel(wanted map[int]time.Duration, supply time.Duration) time.Duration {
	sorted := make([]time.Duration, 0, len(wanted))
	for _, w := range wanted {
		sorted = append(sorted, w)
	}
	slices.Sort(sorted)
	for i, w := range sorted {
		share := supply / time.Duration(len(sorted)-i)
		if w > share {
			return share
		}
		supply -= w
	}
	return sorted[len(sorted)-1]
}
