package sqlite

import (
	"context"
	"database/sql/driver"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Internals that the tests use.
const (
	NextJobAtQuery = nextJobAt
	NextLeaseQuery = nextLease
	Live           = live
	Waiting        = waiting
	Running        = running
	Finished       = finished
	DeliveriesOver = deliveriesOver
	MaxArms        = maxArms
)

var (
	PageQuery         = func(arms int) string { return pageQuery(arms, "") }
	TaggedQuery       = func(arms int) string { return pageQuery(arms, hasMetadata) }
	DueJobQuery       = dueJob
	NextOfOthersQuery = nextJobOfOthers
	Migrations        = migrations
)

// ListQueries maps an index to the statement that must use it: queries of lists, which the index must sort, and deletes of
// dependent rows.
var ListQueries = map[string]string{
	"users_by_account (account_id=?)":                          usersOfAccount,
	"members_by_space (space_id=?)":                            membersOfSpace,
	"prompts_by_space (space_id=?)":                            promptsOfSpace,
	"outputs_by_recording (recording_id=?)":                    outputsOfRecording,
	"suggestions_by_recording (recording_id=?)":                suggestionsOfRecording,
	"imports_by_item (space_id=? AND feed_item=?)":             importsOfItem,
	"recordings_by_external_id (space_id=? AND external_id=?)": recordingByExternalID,
	"imports_by_external_id (space_id=? AND external_id=?)":    importsOfExternalID,
	"webhooks_by_user (user_id=?)":                             webhooksOfUser,
	"deliveries_by_webhook (webhook_id=?)":                     deliveriesOfWebhook,
	"deliveries_by_webhook (webhook_id=?) to delete":           deleteDeliveries,
	"deliveries_over (updated_at<?)":                           expiredDelivery,
	"postings_by_document (document=?) to delete":              deletePostings,
	"deletions_by_recording (recording_id=?)":                  deletionOfRecording,
	"transcripts_by_recording (recording_id=?)":                transcriptsOfRecording,
	"renders_by_recording (recording_id=?)":                    rendersOfRecording,
	"recordings_by_space (space_id=? AND created_at<?)":        recordingsBefore,
	"jobs_by_ref (ref=?)":                                      jobsOfRef,
	"jobs_by_ref (ref>? AND ref<?)":                            jobsUnderRef,
	"documents_by_recording (recording_id=?)":                  documentsOfRecording,
	"assignments_by_speaker (speaker_id=?) to delete":          deleteAssignmentsOfSpeaker,
	"chat_recordings_by_chat (chat_id=?) to delete":            unlinkChat,
}

// PostingsQuery has parameters for a term, a kind, and spaces.
var PostingsQuery = postingsOfTerm

// MigrateTo migrates the file of a closed Store with the given scripts.
func MigrateTo(path string, scripts ...string) error {
	c, err := connect(path, OpenOptions{NoSync: true}.writerSetup())
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }()
	return migrate(c, scripts, func(*conn) error { return nil })
}

// Pragma returns a pragma's value on the writing connection and on a reading one.
func (s *Store) Pragma(name string) (writer, reader string, err error) {
	if writer, err = askPool(s, s.writer, name); err != nil {
		return "", "", err
	}
	reader, err = askPool(s, s.readers, name)
	return writer, reader, err
}

func askPool(s *Store, p *pool, name string) (string, error) {
	c, err := p.take(context.Background(), s.closed)
	if err != nil {
		return "", err
	}
	defer p.put(c)
	return c.text("PRAGMA " + name)
}

// Exec runs SQL on the writing connection.
func (s *Store) Exec(query string) error {
	c, err := s.writer.take(context.Background(), s.closed)
	if err != nil {
		return err
	}
	defer s.giveBack(c)
	return c.script(query)
}

// EncodeUtterances returns utterances as they are stored in a transcript's column.
func EncodeUtterances(utterances []transcript.Utterance) []byte {
	b, _ := rows.EncodeUtterances(utterances).([]byte)
	return b
}

var DecodeUtterances = rows.DecodeUtterances

// EncodeAttempts returns attempts as they are stored in a delivery's column.
func EncodeAttempts(attempts []engine.Attempt) []byte {
	b, _ := rows.EncodeAttempts(attempts).([]byte)
	return b
}

var (
	DecodeAttempts = rows.DecodeAttempts
	EncodeParts    = rows.EncodeParts
	DecodeParts    = rows.DecodeParts
)

// CountStatements calls counted at each statement that runs from now on. No transaction may be open.
func (s *Store) CountStatements(counted func(query string)) {
	for _, p := range []*pool{s.writer, s.readers} {
		open := p.open
		p.open = func() (*conn, error) {
			c, err := open()
			if err == nil {
				c.db = countedConn{c.db, counted}
			}
			return c, err
		}
		for _, c := range p.idle {
			for query, stmt := range c.stmts {
				_ = stmt.Close()
				delete(c.stmts, query)
			}
			c.db = countedConn{c.db, counted}
		}
	}
}

type countedConn struct {
	driverConn
	counted func(string)
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return countedStmt{s.(driverStmt), func() { c.counted(query) }}, nil
}

type countedStmt struct {
	driverStmt
	counted func()
}

func (s countedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.counted()
	return s.driverStmt.ExecContext(ctx, args)
}

func (s countedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.counted()
	return s.driverStmt.QueryContext(ctx, args)
}
