package memory

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

var errOver = errors.New("memory: the transaction is over")

// tables is every row of a store, and the indexes that its lists and its queue are read from.
type tables struct {
	accounts    *table[engine.AccountID, engine.Account]
	users       *table[engine.UserID, engine.User]
	keys        *table[engine.KeyID, engine.Key]
	spaces      *table[engine.SpaceID, engine.Space]
	members     *table[member, member]
	uploads     *table[engine.UploadID, engine.Upload]
	recordings  *table[engine.RecordingID, recordingRow]
	transcripts *table[engine.TranscriptID, engine.Transcript]
	speakers    *table[engine.SpeakerID, engine.Speaker]
	roles       *table[engine.RoleID, engine.Role]
	assignments *table[label, engine.Assignment]
	renders     *table[engine.RenderID, engine.Render]
	jobs        *table[engine.JobID, engine.Job]

	keysByHash      *sorted[[32]byte, engine.Key]
	keysByUser      *sorted[engine.UserID, engine.Key]
	membersByUser   *sorted[engine.UserID, member]
	recordingsByAge *sorted[engine.SpaceID, recordingRow] // oldest first
	speakersByAge   *sorted[engine.SpaceID, engine.Speaker]
	rolesByAge      *sorted[engine.SpaceID, engine.Role]
	labels          *sorted[engine.RecordingID, engine.Assignment]
	jobsByKey       *sorted[string, engine.Job] // those that are not over
	jobsWaiting     *sorted[queue, engine.Job]  // the next to run first
	jobsRunning     *sorted[queue, engine.Job]
	jobsLeased      *sorted[struct{}, engine.Job] // all that are running, oldest lease first
}

func newTables() *tables {
	t := &tables{
		keysByHash:      newSorted(everything(keyHash), byKeyAge),
		keysByUser:      newSorted(everything(keyUser), byKeyAge),
		membersByUser:   newSorted(everything(memberUser), byMemberSpace),
		recordingsByAge: newSorted(everything(recordingSpace), byRecordingAge),
		speakersByAge:   newSorted(everything(speakerSpace), bySpeakerAge),
		rolesByAge:      newSorted(everything(roleSpace), byRoleAge),
		labels:          newSorted(everything(assignmentRecording), byLabel),
		jobsByKey:       newSorted(liveJob, byJobID),
		jobsWaiting:     newSorted(waitingJob, byRunAt),
		jobsRunning:     newSorted(runningJob, byJobID),
		jobsLeased:      newSorted(leasedJob, byLease),
	}
	t.accounts = newTable[engine.AccountID]("account", cloneAccount)
	t.users = newTable[engine.UserID]("user", cloneUser)
	t.keys = newTable[engine.KeyID]("key", cloneKey, t.keysByHash, t.keysByUser)
	t.spaces = newTable[engine.SpaceID]("space", cloneSpace)
	t.members = newTable[member]("member", func(m member) member { return m }, t.membersByUser)
	t.uploads = newTable[engine.UploadID]("upload", cloneUpload)
	t.recordings = newTable[engine.RecordingID]("recording", cloneRecordingRow, t.recordingsByAge)
	t.transcripts = newTable[engine.TranscriptID]("transcript", cloneTranscript)
	t.speakers = newTable[engine.SpeakerID]("speaker", cloneSpeaker, t.speakersByAge)
	t.roles = newTable[engine.RoleID]("role", cloneRole, t.rolesByAge)
	t.assignments = newTable[label]("label", func(a engine.Assignment) engine.Assignment { return a }, t.labels)
	t.renders = newTable[engine.RenderID]("render", cloneRender)
	t.jobs = newTable[engine.JobID]("job", cloneJob, t.jobsByKey, t.jobsWaiting, t.jobsRunning, t.jobsLeased)
	return t
}

// byAge orders rows oldest first, and rows of one age by id.
func byAge[K ~string](a time.Time, aID K, b time.Time, bID K) int {
	return cmp.Or(a.Compare(b), strings.Compare(string(aID), string(bID)))
}
