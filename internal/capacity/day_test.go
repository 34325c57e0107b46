package capacity_test

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// flooder is the tenant of the flood. Ordinary tenants have the numbers from 0, in descending order of their share.
const flooder = -1

// day describes a day of jobs of one class.
type day struct {
	seed    uint64
	tenants int           // ordinary tenants; the n-th has a share in proportion to 1/n (Zipf)
	jobs    int           // of ordinary tenants, on average
	peak    float64       // arrivals in the busiest moment, at 14:00, relative to the mean; 1 to 2
	median  time.Duration // work of a job: log-normal, as lengths of recordings are
	sigma   float64       // standard deviation of the work's logarithm
	limit   time.Duration // longest work
	flood   int           // jobs that the flooder sends at once
	floodAt time.Duration // after midnight
}

// busyDay has 100,000 jobs of 10,000 tenants, whose largest sends every tenth job. Another tenant sends 10,000 at once. A job takes 12 s on
// average, and 1 in 100 takes longer than 97 s.
func busyDay(seed uint64) day {
	return day{
		seed: seed, tenants: 10_000, jobs: 100_000, peak: 1.8,
		median: 6 * time.Second, sigma: 1.2, limit: 10 * time.Minute, flood: 10_000, floodAt: 10 * time.Hour,
	}
}

// arrival is a job to come.
type arrival struct {
	at     time.Duration // after midnight
	tenant int
	work   time.Duration
}

// arrivals returns the day's jobs by time of arrival: a Poisson process whose rate follows a daily curve.
func (d day) arrivals() []arrival {
	const length = 24 * time.Hour
	random := rand.New(rand.NewPCG(d.seed, 1))
	shares := make([]float64, d.tenants) // cumulative
	sum := 0.0
	for i := range shares {
		sum += 1 / float64(i+1)
		shares[i] = sum
	}
	var all []arrival
	highest := float64(d.jobs) * d.peak / float64(length) // jobs per nanosecond
	for at := 0.0; ; {
		at += random.ExpFloat64() / highest
		if at >= float64(length) {
			break
		}
		curve := 1 + (d.peak-1)*math.Cos(2*math.Pi*(at/float64(length)-14./24))
		if random.Float64()*d.peak >= curve {
			continue
		}
		all = append(all, arrival{time.Duration(at), sort.SearchFloat64s(shares, random.Float64()*sum), d.work(random)})
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].at >= d.floodAt })
	flood := make([]arrival, d.flood, d.flood+len(all)-first)
	for i := range flood {
		flood[i] = arrival{d.floodAt, flooder, d.work(random)}
	}
	return append(all[:first:first], append(flood, all[first:]...)...)
}

func (d day) work(random *rand.Rand) time.Duration {
	work := time.Duration(float64(d.median) * math.Exp(d.sigma*random.NormFloat64()))
	return min(work, d.limit).Truncate(time.Microsecond)
}
