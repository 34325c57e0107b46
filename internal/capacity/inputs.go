package capacity

// Source says where a value comes from.
type Source string

const (
	Measured Source = "measured" // by Command
	Assumed  Source = "assumed"  // about users and machines: replace it by your own
)

// Input is one number of the model.
type Input struct {
	Name    Name
	Value   float64
	Unit    string
	Source  Source
	Command string // measures it, or says why it is assumed
}

// Name identifies an Input.
type Name string

// Inputs of the model. Costs are those of one recording of 30 minutes with six texts and seven webhook deliveries, unless the name says else.
const (
	Peak        Name = "load in the busiest minute, relative to the mean"
	Headroom    Name = "highest utilisation of a machine"
	NodeCores   Name = "cores of an API node or a worker"
	DBCores     Name = "cores of the database server"
	DBCommits   Name = "commits of the database server"
	DBMemory    Name = "memory of the database server for pages"
	DBPages     Name = "random pages that the database server reads and writes"
	DBSize      Name = "largest database that can be restored in time"
	Requests    Name = "API requests per recording, polls and readers included"
	Renders     Name = "renders per recording"
	MediaBytes  Name = "media per recording"
	Retention   Name = "days that a recording is kept"
	EventDays   Name = "days that an event is kept"
	RequestCPU  Name = "CPU of an API node per request"
	WorkerCPU   Name = "CPU of a worker per recording"
	DecodeCPU   Name = "CPU of ffmpeg to decode a recording"
	DiarizeCPU  Name = "CPU to diarize a recording"
	RenderCPU   Name = "CPU of a render of 30 s"
	Updates     Name = "write transactions per recording"
	EventWrites Name = "of these, transactions that write events"
	Views       Name = "read transactions per recording by the engine"
	Jobs        Name = "jobs per recording"
	Events      Name = "events per recording"
	Deliveries  Name = "deliveries per recording"
	Postings    Name = "postings of the search index per recording"
	RowBytes    Name = "rows and indexes per recording"
	SearchBytes Name = "of these, the search index"
	UpdateCPU   Name = "CPU of PostgreSQL per write transaction"
	ViewCPU     Name = "CPU of PostgreSQL per read transaction"
	WALBytes    Name = "WAL per recording"
	EventHold   Name = "time that a transaction holds the number of the next event"
	S3Requests  Name = "S3 requests per recording"
)

const (
	costs      = "`go test ./internal/capacity -run '^$' -bench RecordingCosts -benchtime 10x`, rows in SQLite"
	onPostgres = "`go test ./internal/capacity -run '^$' -bench PostgresCosts -benchtime 10x`"
)

// Inputs returns the values that docs/scale.md shows.
func Inputs() []Input {
	return []Input{
		{Peak, 3, "", Assumed, "the curve of a day, and busy weekdays"},
		{Headroom, 0.6, "", Assumed, "a node may be lost, and waits grow fast above it"},
		{NodeCores, 4, "cores", Assumed, "choose your own"},
		{DBCores, 32, "cores", Assumed, "one server with local NVMe"},
		{DBCommits, 20_000, "1/s", Assumed, "group commit on NVMe; replace it by pgbench's figure for your disk"},
		{DBMemory, 128e9, "bytes", Assumed, "choose your own"},
		{DBPages, 100_000, "1/s", Assumed, "local NVMe; a network volume has 3,000 to 20,000"},
		{DBSize, 4e12, "bytes", Assumed, "a restore at 500 MB/s takes 2.2 hours"},
		{Requests, 60, "", Assumed, "5 to create, 20 polls, 35 reads of lists, transcripts, and search"},
		{Renders, 0.5, "", Assumed, "choose your own"},
		{MediaBytes, 30e6, "bytes", Assumed, "128 kbit/s of audio; video is 10 to 50 times as much"},
		{Retention, 365, "days", Assumed, "choose your own"},
		{EventDays, 7, "days", Assumed, "`Config.EventAge`; `Config.EventLimit`, 50,000 events by default, must be raised for it"},
		{RequestCPU, 77e-6, "s", Measured, "`go test ./node -run '^$' -bench Get`: a simple GET, on a machine with a load of 10; SQLite takes 50 µs there"},
		{WorkerCPU, 1.05, "s", Measured, costs},
		{DecodeCPU, 2.27, "s", Measured, costs + "; without a speech model, which runs elsewhere"},
		{DiarizeCPU, 3, "s", Measured, "`go test ./diarize -run '^$' -bench .`: 600 × real time on one core"},
		{RenderCPU, 13, "s", Measured, "`go test ./render -run '^$' -bench .`: 0.81 of a bare encode of 16 s"},
		{Updates, 35, "", Measured, costs},
		{EventWrites, 10, "", Measured, costs},
		{Views, 65, "", Measured, costs},
		{Jobs, 16, "", Measured, costs},
		{Events, 16, "", Measured, costs},
		{Deliveries, 7, "", Measured, costs},
		{Postings, 1_211, "", Measured, costs},
		{RowBytes, 214_000, "bytes", Measured, costs},
		{SearchBytes, 52_400, "bytes", Measured, costs},
		{UpdateCPU, 1.47e-3, "s", Measured, onPostgres + "; with claims, River, and 1,200 postings. One row alone takes 120 µs"},
		{ViewCPU, 20e-6, "s", Measured, onPostgres + "; one row"},
		{WALBytes, 673_000, "bytes", Measured, onPostgres + "; with the full pages of a small database"},
		{EventHold, 0.84e-3, "s", Measured, onPostgres + "; from the read of the last number to the end of a commit that syncs"},
		{S3Requests, 12, "", Measured, onPostgres + "; without renders and downloads"},
	}
}
