package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Exec runs SQL.
func (s *Store) Exec(ctx context.Context, sql string) error {
	_, err := s.pool.Exec(ctx, sql)
	return err
}

// Tidy does once what keepTidy does every hour.
func (s *Store) Tidy(ctx context.Context) { s.tidy(ctx) }

// ClaimJob is the statement of a claim. The others are those of the operators' lists.
var (
	ClaimJob      = claimJob
	RecordingPage = recordingPage
	DeliveryPage  = deliveryPage
	JobPage       = jobPage
	JobPageOfRefs = jobPageOfRefs
)

// MigrateRows migrates the tables of the rows of an empty database to a version.
func MigrateRows(ctx context.Context, url string, version int64) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	m, err := newMigrator(pool)
	if err != nil {
		return err
	}
	_, err = m.goose.UpTo(ctx, version)
	return err
}

// Connections returns the maximum number of connections.
func (s *Store) Connections() int { return int(s.pool.Config().MaxConns) }
