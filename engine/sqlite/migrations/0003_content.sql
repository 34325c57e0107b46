-- The defaults are those of an account without transcriptions: durations of 0 and Go's zero time, the year 1.
ALTER TABLE accounts ADD COLUMN speech_used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN speech_limit INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN period_start INTEGER NOT NULL DEFAULT -62135596800000000;

CREATE INDEX members_by_space ON members (space_id, user_id);

CREATE TABLE prompts (
	id          TEXT NOT NULL PRIMARY KEY,
	space_id    TEXT NOT NULL,
	name        TEXT NOT NULL,
	type        TEXT NOT NULL,
	description TEXT NOT NULL,
	text        TEXT NOT NULL,
	disabled    INTEGER NOT NULL,
	created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX prompts_by_space ON prompts (space_id, created_at, id);
-- Existing spaces get the built-in prompts, like new ones. The ids are random UUIDs.
WITH builtins (n, type, name, description, text) AS (VALUES
	(0, 'episode_overview', 'Overview', 'What the recording is about.',
		'Write an overview of this recording: a short paragraph on what it is about and who speaks, then its main points as a list.'),
	(1, 'quotes', 'Quotes', 'The lines that are worth quoting, with speaker and time.',
		'Choose the lines that are most worth quoting. Give each one word for word, with who says it and when.'),
	(2, 'key_topics', 'Key topics', 'What the recording deals with.',
		'List the key topics of this recording, and say in one sentence each what is said about them.'),
	(3, 'chapters', 'Chapters', 'The parts of the recording, with their times.',
		'Divide this recording into chapters. Give each one its time and a title.'),
	(4, 'social_posts', 'Social posts', 'Posts that make people want to listen.',
		'Write social media posts that make people want to listen to this recording.')
)
INSERT INTO prompts SELECT
	lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
	spaces.id, builtins.name, type, description, text, 0, created_at + n FROM spaces CROSS JOIN builtins;

CREATE TABLE outputs (
	id           TEXT NOT NULL PRIMARY KEY,
	recording_id TEXT NOT NULL,
	space_id     TEXT NOT NULL,
	user_id      TEXT NOT NULL,
	prompt_id    TEXT NOT NULL,
	type         TEXT NOT NULL,
	name         TEXT NOT NULL,
	prompt       TEXT NOT NULL,
	status       TEXT NOT NULL CHECK (status IN ('queued', 'retrying', 'completed', 'failed', 'canceled')),
	text         TEXT NOT NULL,
	error        TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX outputs_by_recording ON outputs (recording_id, created_at, id);

CREATE TABLE chats (
	id            TEXT NOT NULL PRIMARY KEY,
	user_id       TEXT NOT NULL,
	message       TEXT NOT NULL,
	recording_ids TEXT,
	status        TEXT NOT NULL CHECK (status IN ('queued', 'completed')),
	answer        TEXT NOT NULL,
	created_at    INTEGER NOT NULL,
	updated_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE suggestions (
	id           TEXT NOT NULL PRIMARY KEY,
	recording_id TEXT NOT NULL,
	kind         TEXT NOT NULL,
	title        TEXT NOT NULL,
	excerpt      TEXT NOT NULL,
	score        INTEGER NOT NULL,
	start        INTEGER NOT NULL, -- of the window, microseconds of the media
	"end"        INTEGER NOT NULL,
	created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX suggestions_by_recording ON suggestions (recording_id, score DESC, id);

CREATE TABLE imports (
	id             TEXT NOT NULL PRIMARY KEY,
	user_id        TEXT NOT NULL,
	account_id     TEXT NOT NULL,
	space_id       TEXT NOT NULL,
	url            TEXT NOT NULL,
	title          TEXT NOT NULL,
	status         TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'error', 'canceled')),
	progress       REAL NOT NULL,
	error          TEXT NOT NULL,
	recording_id   TEXT NOT NULL,
	size           INTEGER NOT NULL,
	feed_item      TEXT NOT NULL,
	rss            TEXT,
	episode_number INTEGER,
	season_number  INTEGER,
	published_at   INTEGER,
	created_at     INTEGER NOT NULL,
	updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX imports_by_item ON imports (space_id, feed_item, created_at, id) WHERE feed_item <> '';

CREATE TABLE translations (
	transcript_id TEXT NOT NULL,
	language      TEXT NOT NULL,
	glossary      TEXT NOT NULL,
	created_at    INTEGER NOT NULL,
	utterances    BLOB, -- see utterance.go; last, because it is large
	PRIMARY KEY (transcript_id, language)
) STRICT;

CREATE TABLE documents (
	key          INTEGER NOT NULL PRIMARY KEY, -- what postings say instead of the id, which is longer
	id           TEXT NOT NULL UNIQUE,
	space_id     TEXT NOT NULL,
	recording_id TEXT NOT NULL,
	output_id    TEXT NOT NULL,
	length       INTEGER NOT NULL
) STRICT;

CREATE TABLE postings (
	term     TEXT NOT NULL,
	kind     INTEGER NOT NULL, -- of the document: see document.go
	document INTEGER NOT NULL,
	parts    BLOB NOT NULL,    -- see posting.go
	PRIMARY KEY (term, kind, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_document ON postings (document);

CREATE TABLE webhooks (
	id          TEXT NOT NULL PRIMARY KEY,
	user_id     TEXT NOT NULL,
	account_id  TEXT NOT NULL,
	space_id    TEXT NOT NULL,
	url         TEXT NOT NULL,
	events      TEXT,
	description TEXT NOT NULL,
	disabled    INTEGER NOT NULL,
	secrets     TEXT,
	created_at  INTEGER NOT NULL,
	updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_user ON webhooks (user_id, created_at, id);

CREATE TABLE deliveries (
	id         TEXT NOT NULL PRIMARY KEY,
	webhook_id TEXT NOT NULL,
	event_id   TEXT NOT NULL,
	event      TEXT NOT NULL,
	status     TEXT NOT NULL CHECK (status IN ('pending', 'retrying', 'delivered', 'failed')),
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	body       BLOB, -- large, like the last one
	attempts   BLOB  -- see attempt.go
) STRICT;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_over ON deliveries (updated_at, id) WHERE status IN ('delivered', 'failed');
