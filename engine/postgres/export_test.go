package postgres

import "context"

// Exec runs SQL.
func (s *Store) Exec(ctx context.Context, sql string) error {
	_, err := s.pool.Exec(ctx, sql)
	return err
}

// ClaimJob is the statement of a claim. The others are those of the operators' lists.
var (
	ClaimJob      = claimJob
	RecordingPage = recordingPage
	DeliveryPage  = deliveryPage
	JobPage       = jobPage
	JobPageOfRefs = jobPageOfRefs
)
