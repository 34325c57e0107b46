-- Times are microseconds since 1970 in UTC, durations are microseconds, lists are JSON with NULL for none.
-- Rows may be put in any order, so nothing references anything: the engine owns that.

CREATE TABLE accounts (
	id                 TEXT NOT NULL PRIMARY KEY,
	name               TEXT NOT NULL,
	storage_used       INTEGER NOT NULL,
	storage_soft_limit INTEGER NOT NULL,
	storage_hard_limit INTEGER NOT NULL,
	created_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
	id         TEXT NOT NULL PRIMARY KEY,
	account_id TEXT NOT NULL,
	name       TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
	id               TEXT NOT NULL PRIMARY KEY,
	user_id          TEXT NOT NULL,
	default_space_id TEXT NOT NULL,
	tier             TEXT NOT NULL,
	name             TEXT NOT NULL,
	hash             BLOB NOT NULL,
	last4            TEXT NOT NULL,
	created_at       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE INDEX keys_by_user ON keys (user_id, created_at, id);

CREATE TABLE spaces (
	id            TEXT NOT NULL PRIMARY KEY,
	account_id    TEXT NOT NULL,
	name          TEXT NOT NULL,
	language      TEXT NOT NULL,
	auto_generate INTEGER NOT NULL,
	boosted_words TEXT,
	spellings     TEXT,
	inactive      INTEGER NOT NULL,
	last_number   INTEGER NOT NULL,
	created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
	user_id  TEXT NOT NULL,
	space_id TEXT NOT NULL,
	PRIMARY KEY (user_id, space_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
	id           TEXT NOT NULL PRIMARY KEY,
	user_id      TEXT NOT NULL,
	account_id   TEXT NOT NULL,
	space_id     TEXT NOT NULL,
	filename     TEXT NOT NULL,
	content_type TEXT NOT NULL,
	size         INTEGER NOT NULL,
	title        TEXT NOT NULL,
	status       TEXT NOT NULL CHECK (status IN ('reserved', 'stored', 'used', 'expired')),
	stored_size  INTEGER NOT NULL,
	blob_key     TEXT NOT NULL,
	sha256       BLOB NOT NULL,
	created_at   INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE recordings (
	id                TEXT NOT NULL PRIMARY KEY,
	space_id          TEXT NOT NULL,
	upload_id         TEXT NOT NULL,
	title             TEXT NOT NULL,
	title_folded      TEXT NOT NULL, -- engine.Fold(title), for filters
	number            INTEGER NOT NULL,
	language          TEXT NOT NULL,
	transcript_id     TEXT NOT NULL,
	transcript_status TEXT NOT NULL CHECK (transcript_status IN ('queued', 'processing', 'completed', 'error')),
	duration          INTEGER NOT NULL,
	has_video         INTEGER NOT NULL,
	blob_key          TEXT NOT NULL,
	size              INTEGER NOT NULL,
	created_at        INTEGER NOT NULL,
	published_at      INTEGER,
	episode_number    INTEGER,
	season_number     INTEGER,
	rss               TEXT
) STRICT;
CREATE INDEX recordings_by_space ON recordings (space_id, created_at DESC, id DESC);

CREATE TABLE transcripts (
	id                TEXT NOT NULL PRIMARY KEY,
	user_id           TEXT NOT NULL,
	recording_id      TEXT NOT NULL,
	url               TEXT NOT NULL,
	status            TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'error')),
	error             TEXT NOT NULL,
	error_code        TEXT NOT NULL,
	language          TEXT NOT NULL,
	detect_language   INTEGER NOT NULL,
	boosted_words     TEXT,
	spellings         TEXT,
	speakers_expected INTEGER NOT NULL,
	context_prompt    TEXT NOT NULL,
	duration          INTEGER NOT NULL,
	blob_key          TEXT NOT NULL,
	words_key         TEXT NOT NULL,
	created_at        INTEGER NOT NULL,
	updated_at        INTEGER NOT NULL,
	utterances        BLOB -- see utterance.go; last, because it is large
) STRICT;

CREATE TABLE speakers (
	id         TEXT NOT NULL PRIMARY KEY,
	space_id   TEXT NOT NULL,
	name       TEXT NOT NULL,
	email      TEXT NOT NULL,
	bio        TEXT NOT NULL,
	pronouns   TEXT NOT NULL,
	role_id    TEXT NOT NULL,
	ai_summary TEXT NOT NULL,
	emoji      TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX speakers_by_space ON speakers (space_id, created_at, id);

CREATE TABLE roles (
	id         TEXT NOT NULL PRIMARY KEY,
	space_id   TEXT NOT NULL,
	name       TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX roles_by_space ON roles (space_id, created_at, id);

CREATE TABLE assignments (
	recording_id TEXT NOT NULL,
	label        TEXT NOT NULL,
	speaker_id   TEXT NOT NULL,
	PRIMARY KEY (recording_id, label)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
	id               TEXT NOT NULL PRIMARY KEY,
	key              TEXT NOT NULL,
	kind             TEXT NOT NULL,
	class            TEXT NOT NULL,
	ref              TEXT NOT NULL,
	tenant           TEXT NOT NULL,
	status           TEXT NOT NULL CHECK (status IN ('queued', 'running', 'retrying', 'completed', 'failed', 'canceled')),
	generation       INTEGER NOT NULL,
	attempt          INTEGER NOT NULL,
	run_at           INTEGER NOT NULL,
	lease_owner      TEXT NOT NULL,
	lease_until      INTEGER NOT NULL,
	cancel_requested INTEGER NOT NULL,
	last_error       TEXT NOT NULL,
	created_at       INTEGER NOT NULL,
	updated_at       INTEGER NOT NULL
) STRICT;
-- Each index contains only the jobs that its queries need, so finished jobs cost nothing.
CREATE UNIQUE INDEX jobs_live ON jobs (key) WHERE status IN ('queued', 'running', 'retrying');
CREATE INDEX jobs_waiting ON jobs (class, tenant, run_at, id) WHERE status IN ('queued', 'retrying');
CREATE INDEX jobs_due ON jobs (class, run_at) WHERE status IN ('queued', 'retrying');
CREATE INDEX jobs_running ON jobs (class, tenant, lease_until) WHERE status = 'running';
CREATE INDEX jobs_over ON jobs (updated_at) WHERE status IN ('completed', 'failed', 'canceled');
