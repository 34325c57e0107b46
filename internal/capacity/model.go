package capacity

import (
	"cmp"
	"math"
	"slices"
)

const secondsPerDay = 86_400

// Model computes needs from inputs.
type Model struct {
	value map[Name]float64
}

// New returns the model of some inputs. Every Name must be there.
func New(inputs []Input) Model {
	m := Model{map[Name]float64{}}
	for _, i := range inputs {
		m.value[i.Name] = i.Value
	}
	return m
}

// Need is what a number of recordings per day needs.
type Need struct {
	PerDay      float64 // recordings
	APINodes    float64
	WorkerNodes float64 // that transcribe and deliver
	RenderNodes float64
	DBCores     float64 // of PostgreSQL, for reads and writes, at the peak
	Commits     float64 // per second, at the peak
	EventWrites float64 // per second, at the peak
	Databases   float64 // at the ceiling that is reached first, with one log of events in each
	RowsPerDay  float64 // bytes of rows and indexes
	Rows        float64 // bytes after Retention
	WALPerDay   float64 // bytes
	S3PerSecond float64 // requests, at the peak
	MediaKept   float64 // bytes after Retention
}

// Need returns what a number of recordings per day needs. At least two nodes of each kind run, so that one may fail.
func (m Model) Need(perDay float64) Need {
	v, peak := m.value, perDay/secondsPerDay*m.value[Peak]
	nodes := func(cpu float64) float64 { return max(2, math.Ceil(peak*cpu/(v[NodeCores]*v[Headroom]))) }
	return Need{
		PerDay:      perDay,
		APINodes:    nodes(v[Requests] * v[RequestCPU]),
		WorkerNodes: nodes(v[WorkerCPU] + v[DecodeCPU] + v[DiarizeCPU]),
		RenderNodes: nodes(v[Renders] * v[RenderCPU]),
		DBCores:     peak * m.databaseCPU(),
		Commits:     peak * v[Updates],
		EventWrites: peak * v[EventWrites],
		Databases:   math.Ceil(perDay / m.Ceilings()[0].PerDay),
		RowsPerDay:  perDay * v[RowBytes],
		Rows:        perDay * v[RowBytes] * v[Retention],
		WALPerDay:   perDay * v[WALBytes],
		S3PerSecond: peak * v[S3Requests],
		MediaKept:   perDay * v[MediaBytes] * v[Retention],
	}
}

// databaseCPU returns the seconds of a core of PostgreSQL per recording. A request is a read transaction, too.
func (m Model) databaseCPU() float64 {
	return m.value[Updates]*m.value[UpdateCPU] + (m.value[Views]+m.value[Requests])*m.value[ViewCPU]
}

// Ceiling is the number of recordings per day at which one PostgreSQL server has no more of something.
type Ceiling struct {
	What   string
	PerDay float64
	Then   string // what moves out, or is divided
}

// Ceilings returns the ceilings of one server, lowest first.
func (m Model) Ceilings() []Ceiling {
	v, usable := m.value, secondsPerDay/m.value[Peak]*m.value[Headroom]
	all := []Ceiling{
		{
			"events are numbered without gaps, so transactions that write them follow each other", usable / (v[EventWrites] * v[EventHold]),
			"a log per account: numbers are without gaps in it, and its row is the only one that is locked",
		},
		{
			"random pages of the indexes of `postings`, one for each posting, once they don't fit into memory", usable * v[DBPages] / v[Postings],
			"postings to a search engine",
		},
		{"commits", usable * v[DBCommits] / v[Updates], "deliveries and their jobs (44 % of all jobs) to a database of their own; then accounts to several databases"},
		{"cores of the server", usable * v[DBCores] / m.databaseCPU(), "reads that may lag to replicas; search to a search engine"},
		{"size of the database", v[DBSize] / (v[RowBytes] * v[Retention]), "postings to a search engine (a quarter of all bytes), words of transcripts to objects in S3 (half)"},
	}
	slices.SortFunc(all, func(a, b Ceiling) int { return cmp.Compare(a.PerDay, b.PerDay) })
	return all
}

// SearchInMemory returns the recordings per day up to which half of the server's memory holds the search index of all kept recordings.
func (m Model) SearchInMemory() float64 {
	return m.value[DBMemory] / 2 / (m.value[SearchBytes] * m.value[Retention])
}

// Growth is how a table grows.
type Growth struct {
	Table string
	Rows  float64 // per recording
	Days  float64 // that a row is kept
	By    string  // how it is partitioned
}

// partitionAt is the number of rows from which a table is partitioned: beyond it, vacuum and the rebuild of an index take hours.
const partitionAt = 200e6

// Growths returns the tables that grow with recordings, those that are partitioned first first.
func (m Model) Growths() []Growth {
	v := m.value
	all := []Growth{
		{"postings", v[Postings], v[Retention], "hash of the space, because a search reads one space; or a search engine"},
		{"events", v[Events], v[EventDays], "range of the number; old partitions are dropped instead of deleted from"},
		{"jobs", v[Jobs], 7, "finished jobs by day of their end; those that wait stay in one small table"},
		{"deliveries", v[Deliveries], 30, "range of the day of creation"},
		{"transcripts", 1, v[Retention], "hash of the account, with recordings and outputs"},
	}
	slices.SortFunc(all, func(a, b Growth) int { return cmp.Compare(b.Rows*b.Days, a.Rows*a.Days) })
	return all
}

// PartitionFrom returns the recordings per day from which a table is partitioned.
func (g Growth) PartitionFrom() float64 { return partitionAt / (g.Rows * g.Days) }
