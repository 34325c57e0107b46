package engine

import (
	"context"
	"time"
)

// Usage is an account's use of its plan.
type Usage struct {
	PlanStatus string // "active"
	Tier       Tier

	Speech      time.Duration // transcribed in the current period
	SpeechLimit time.Duration // 0 for unlimited
	PeriodStart time.Time     // start of a calendar month, UTC
	PeriodEnd   time.Time     // start of the next month

	StorageUsed      int64 // bytes
	StorageSoftLimit int64
	StorageHardLimit int64
}

// GetUsage returns the usage of the caller's account.
func (e *Engine) GetUsage(ctx context.Context, c Caller) (u Usage, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		a, err := tx.Account(c.AccountID)
		if err != nil {
			return err
		}
		start := monthOf(e.now())
		u = Usage{
			PlanStatus: "active", Tier: c.Tier, SpeechLimit: a.SpeechLimit, PeriodStart: start, PeriodEnd: start.AddDate(0, 1, 0),
			StorageUsed: a.StorageUsed, StorageSoftLimit: a.StorageSoftLimit, StorageHardLimit: a.StorageHardLimit,
		}
		if a.PeriodStart.Equal(start) {
			u.Speech = a.SpeechUsed
		}
		return nil
	})
	return u, wrap("GetUsage", err)
}

// monthOf returns the start of t's calendar month.
func monthOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// countSpeech adds a completed transcript to this month's usage: of the space's account for a recording, of the user's account for a URL.
func (e *Engine) countSpeech(tx Tx, t Transcript) error {
	id, err := payerOf(tx, t)
	if err != nil {
		return err
	}
	a, err := tx.Account(id)
	if err != nil {
		return err
	}
	if start := monthOf(e.now()); !a.PeriodStart.Equal(start) {
		a.PeriodStart, a.SpeechUsed = start, 0
	}
	a.SpeechUsed += t.Duration
	return tx.PutAccount(a)
}

func payerOf(tx ReadTx, t Transcript) (AccountID, error) {
	if t.RecordingID == "" {
		u, err := tx.User(t.UserID)
		return u.AccountID, err
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return "", err
	}
	s, err := tx.Space(r.SpaceID)
	return s.AccountID, err
}
