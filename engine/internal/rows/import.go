package rows

import "github.com/soundstage-dev/soundstage/engine"

// Imports is the table of imports.
var Imports = New("imports", "import", func(c *Columns, v *engine.Import) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "account_id", &v.AccountID)
	text(c, "space_id", &v.SpaceID)
	text(c, "url", &v.URL)
	text(c, "title", &v.Title)
	text(c, "status", &v.Status)
	fraction(c, "progress", &v.Progress)
	text(c, "error", &v.Error)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
	text(c, "recording_id", &v.RecordingID)
	number(c, "size", &v.Size)
	text(c, "feed_item", &v.FeedItem)
	rss(c, "rss", &v.RSS)
	optional(c, "episode_number", &v.EpisodeNumber, number[int])
	optional(c, "season_number", &v.SeasonNumber, number[int])
	optional(c, "published_at", &v.PublishedAt, timestamp)
	text(c, "language", &v.Language)
	flag(c, "detect_language", &v.DetectLanguage)
	number(c, "speakers_expected", &v.SpeakersExpected)
	text(c, "context_prompt", &v.ContextPrompt)
	flag(c, "bare_title", &v.BareTitle)
	tags(c, &v.Tags)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})
