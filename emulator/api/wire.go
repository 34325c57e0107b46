package api

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// timestamp formats a time for JSON: RFC 3339, UTC, whole seconds.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func timestampOrNull(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := timestamp(*t)
	return &s
}

type wireSpaceRef struct {
	ID   engine.SpaceID `json:"id"`
	Name string         `json:"name"`
}

type wireSpace struct {
	ID       engine.SpaceID      `json:"id"`
	Name     string              `json:"name"`
	Language transcript.Language `json:"language"`
}

type wireRecording struct {
	ID               engine.RecordingID      `json:"id"`
	Title            string                  `json:"title"`
	Space            wireSpaceRef            `json:"space"`
	CreatedAt        string                  `json:"created_at"`
	PublishedAt      *string                 `json:"published_at"`
	Language         transcript.Language     `json:"language"`
	TranscriptStatus engine.TranscriptStatus `json:"transcript_status"`
	DurationMinutes  int64                   `json:"duration_minutes"`
	HasTranscript    bool                    `json:"has_transcript"`
	Number           int                     `json:"number"`
	EpisodeNumber    *int                    `json:"episode_number"`
	SeasonNumber     *int                    `json:"season_number"`
	RSS              *wireRSS                `json:"rss"`
}

type wireRSS struct {
	GUID          string `json:"guid"`
	PublishedAt   string `json:"published_at"`
	EpisodeNumber *int   `json:"episode_number"`
}

func wireOfRecording(r engine.Recording, s engine.Space) wireRecording {
	w := wireRecording{
		ID: r.ID, Title: r.Title, Space: wireSpaceRef{ID: s.ID, Name: s.Name}, CreatedAt: timestamp(r.CreatedAt),
		PublishedAt: timestampOrNull(r.PublishedAt), Language: r.Language, TranscriptStatus: r.TranscriptStatus,
		DurationMinutes: minutes(r.Duration), HasTranscript: r.HasTranscript(), Number: r.Number,
		EpisodeNumber: r.EpisodeNumber, SeasonNumber: r.SeasonNumber,
	}
	if r.RSS != nil {
		w.RSS = &wireRSS{GUID: r.RSS.GUID, PublishedAt: timestamp(r.RSS.PublishedAt), EpisodeNumber: r.RSS.EpisodeNumber}
	}
	return w
}

// minutes rounds half up to whole minutes, but to at least 1 unless d is zero.
func minutes(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return max(1, int64((d+30*time.Second)/time.Minute))
}

type recordingBody struct {
	Recording wireRecording `json:"recording"`
}
