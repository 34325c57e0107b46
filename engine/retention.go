package engine

import (
	"context"
	"time"
)

const (
	// MinRetention is the shortest Space.Retention.
	MinRetention = time.Hour
	// retentionCheck is the longest time between two checks of a space with a Retention.
	retentionCheck = time.Hour
	// retentionPause is the shortest one.
	retentionPause = time.Minute
)

// checkRetention returns CodeInvalid for a retention that a space can't have.
func checkRetention(op string, d time.Duration) error {
	if d < 0 || d > 0 && d < MinRetention {
		return Errorf(CodeInvalid, op, "The retention of a space must be 0, or at least %v (got %v).", MinRetention, d).WithHint("0 keeps recordings for ever.")
	}
	return nil
}

// expireLater lets the next check of a space with a Retention begin now. A check that is running may use the space's former Retention; its
// successor follows after retentionPause.
func (e *Engine) expireLater(tx Tx, s Space) error {
	if s.Retention == 0 {
		return nil
	}
	check := e.newJob(JobRecordingExpire, string(s.ID), string(s.AccountID), e.now())
	for _, key := range []string{check.Key, e.successor(check, check.RunAt).Key} {
		j, err := tx.JobByKey(key)
		switch {
		case CodeOf(err) == CodeNotFound:
			continue
		case err != nil || !j.Status.Waiting():
			return err
		}
		j.RunAt, j.UpdatedAt = check.RunAt, check.RunAt
		return tx.PutJob(j)
	}
	return tx.Enqueue(check)
}

// runRecordingExpire deletes the recordings of a space that are older than its Retention, and queues the next check. It ends when the space keeps
// its recordings for ever.
func (e *Engine) runRecordingExpire(ctx context.Context, w *work) (func(Tx) error, error) {
	id := SpaceID(w.job.Ref)
	for n := deleteBatch; n == deleteBatch; {
		if err := w.update(ctx, func(tx Tx) (err error) {
			n, err = e.deleteExpired(tx, id)
			return err
		}); err != nil {
			return nil, err
		}
	}
	return func(tx Tx) error {
		s, err := tx.Space(id)
		if err != nil || s.Retention == 0 {
			return err
		}
		at, err := e.nextExpiry(tx, s)
		if err != nil {
			return err
		}
		return tx.Enqueue(e.successor(w.job, at))
	}, nil
}

// deleteExpired deletes at most deleteBatch expired recordings of a space, oldest first, and returns how many.
func (e *Engine) deleteExpired(tx Tx, id SpaceID) (int, error) {
	s, err := tx.Space(id)
	if err != nil || s.Retention <= 0 {
		return 0, err
	}
	old, err := tx.RecordingsBefore(id, e.now().Add(-s.Retention), deleteBatch)
	for _, r := range old {
		if err == nil {
			_, err = e.beginDeletion(tx, r, s)
		}
	}
	return len(old), err
}

// nextExpiry returns when to check a space again: when its oldest recording expires, within retentionPause and retentionCheck from now.
func (e *Engine) nextExpiry(tx ReadTx, s Space) (time.Time, error) {
	now := e.now()
	wait := retentionCheck
	oldest, err := tx.RecordingsBefore(s.ID, now.Add(retentionCheck), 1)
	if err == nil && len(oldest) > 0 {
		wait = oldest[0].CreatedAt.Add(s.Retention).Sub(now) + time.Microsecond // a recording of exactly this age is kept
	}
	return now.Add(min(max(wait, retentionPause), retentionCheck)), err
}
