package engine

import "time"

// ImportID identifies an Import; it begins with "imp_".
type ImportID string

// Import is a recording that is made of a URL.
type Import struct {
	ID          ImportID
	UserID      UserID
	AccountID   AccountID // whose storage it takes: the space's
	SpaceID     SpaceID
	URL         string // as it was submitted
	Title       string // for the recording; "" when none was given and none is known yet
	Status      ImportStatus
	Progress    float64 // 0 to 1, never falls
	Error       string  // one sentence; only when Status is ImportError or ImportCanceled
	RecordingID RecordingID
	Size        int64 // bytes of storage that it has reserved; 0 until downloaded

	// Of an item of a feed.
	FeedItem      string // which one: the feed's address and the item's GUID in one; "" for other imports
	RSS           *RSS
	EpisodeNumber *int
	SeasonNumber  *int
	PublishedAt   *time.Time

	CreatedAt time.Time
	UpdatedAt time.Time
}
