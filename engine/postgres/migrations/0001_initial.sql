-- +goose Up
-- The tables of the rows, with the same columns and values as the SQLite store: times are microseconds since 1970 in UTC, durations are
-- microseconds, lists are JSON with NULL for none. Rows may be put in any order, so nothing references anything: the engine owns that.
-- Texts compare by bytes.

CREATE TABLE accounts (
	id                  text COLLATE "C" NOT NULL,
	name                text COLLATE "C" NOT NULL,
	storage_used        bigint NOT NULL,
	storage_soft_limit  bigint NOT NULL,
	storage_hard_limit  bigint NOT NULL,
	created_at          bigint NOT NULL,
	speech_used         bigint NOT NULL,
	speech_limit        bigint NOT NULL,
	period_start        bigint NOT NULL,
	tier                text COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE users (
	id          text COLLATE "C" NOT NULL,
	account_id  text COLLATE "C" NOT NULL,
	name        text COLLATE "C" NOT NULL,
	created_at  bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE keys (
	id                text COLLATE "C" NOT NULL,
	user_id           text COLLATE "C" NOT NULL,
	default_space_id  text COLLATE "C" NOT NULL,
	tier              text COLLATE "C" NOT NULL,
	name              text COLLATE "C" NOT NULL,
	hash              bytea NOT NULL,
	last4             text COLLATE "C" NOT NULL,
	created_at        bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE spaces (
	id             text COLLATE "C" NOT NULL,
	account_id     text COLLATE "C" NOT NULL,
	name           text COLLATE "C" NOT NULL,
	language       text COLLATE "C" NOT NULL,
	auto_generate  boolean NOT NULL,
	boosted_words  text COLLATE "C",
	spellings      text COLLATE "C",
	inactive       boolean NOT NULL,
	last_number    bigint NOT NULL,
	created_at     bigint NOT NULL,
	owners         text COLLATE "C",
	retention      bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE members (
	user_id   text COLLATE "C" NOT NULL,
	space_id  text COLLATE "C" NOT NULL,
	PRIMARY KEY (user_id, space_id)
);
CREATE TABLE uploads (
	id            text COLLATE "C" NOT NULL,
	user_id       text COLLATE "C" NOT NULL,
	account_id    text COLLATE "C" NOT NULL,
	space_id      text COLLATE "C" NOT NULL,
	filename      text COLLATE "C" NOT NULL,
	content_type  text COLLATE "C" NOT NULL,
	size          bigint NOT NULL,
	title         text COLLATE "C" NOT NULL,
	status        text COLLATE "C" NOT NULL CHECK (status IN ('reserved', 'stored', 'used', 'expired')),
	stored_size   bigint NOT NULL,
	blob_key      text COLLATE "C" NOT NULL,
	sha256        bytea NOT NULL,
	created_at    bigint NOT NULL,
	expires_at    bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE recordings (
	id                  text COLLATE "C" NOT NULL,
	space_id            text COLLATE "C" NOT NULL,
	upload_id           text COLLATE "C" NOT NULL,
	title               text COLLATE "C" NOT NULL,
	title_folded        text COLLATE "C" NOT NULL,
	number              bigint NOT NULL,
	language            text COLLATE "C" NOT NULL,
	transcript_id       text COLLATE "C" NOT NULL,
	transcript_status   text COLLATE "C" NOT NULL CHECK (transcript_status IN ('queued', 'processing', 'completed', 'error')),
	duration            bigint NOT NULL,
	has_video           boolean NOT NULL,
	blob_key            text COLLATE "C" NOT NULL,
	size                bigint NOT NULL,
	created_at          bigint NOT NULL,
	published_at        bigint,
	episode_number      bigint,
	season_number       bigint,
	rss                 text COLLATE "C",
	import_id           text COLLATE "C" NOT NULL,
	external_id         text COLLATE "C" NOT NULL,
	metadata            text COLLATE "C",
	next_transcript_id  text COLLATE "C" NOT NULL,
	revision            bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE transcripts (
	id                 text COLLATE "C" NOT NULL,
	user_id            text COLLATE "C" NOT NULL,
	recording_id       text COLLATE "C" NOT NULL,
	url                text COLLATE "C" NOT NULL,
	status             text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'error')),
	error              text COLLATE "C" NOT NULL,
	error_code         text COLLATE "C" NOT NULL,
	language           text COLLATE "C" NOT NULL,
	detect_language    boolean NOT NULL,
	boosted_words      text COLLATE "C",
	spellings          text COLLATE "C",
	speakers_expected  bigint NOT NULL,
	context_prompt     text COLLATE "C" NOT NULL,
	duration           bigint NOT NULL,
	blob_key           text COLLATE "C" NOT NULL,
	words_key          text COLLATE "C" NOT NULL,
	created_at         bigint NOT NULL,
	updated_at         bigint NOT NULL,
	error_hint         text COLLATE "C" NOT NULL,
	error_rule         text COLLATE "C" NOT NULL,
	utterances         bytea,
	PRIMARY KEY (id)
);
CREATE TABLE speakers (
	id          text COLLATE "C" NOT NULL,
	space_id    text COLLATE "C" NOT NULL,
	name        text COLLATE "C" NOT NULL,
	email       text COLLATE "C" NOT NULL,
	bio         text COLLATE "C" NOT NULL,
	pronouns    text COLLATE "C" NOT NULL,
	role_id     text COLLATE "C" NOT NULL,
	ai_summary  text COLLATE "C" NOT NULL,
	emoji       text COLLATE "C" NOT NULL,
	created_at  bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE roles (
	id          text COLLATE "C" NOT NULL,
	space_id    text COLLATE "C" NOT NULL,
	name        text COLLATE "C" NOT NULL,
	created_at  bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE assignments (
	recording_id  text COLLATE "C" NOT NULL,
	label         text COLLATE "C" NOT NULL,
	speaker_id    text COLLATE "C" NOT NULL,
	PRIMARY KEY (recording_id, label)
);
CREATE TABLE jobs (
	id                text COLLATE "C" NOT NULL,
	key               text COLLATE "C" NOT NULL,
	kind              text COLLATE "C" NOT NULL,
	class             text COLLATE "C" NOT NULL,
	ref               text COLLATE "C" NOT NULL,
	tenant            text COLLATE "C" NOT NULL,
	status            text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'retrying', 'completed', 'failed', 'canceled')),
	generation        bigint NOT NULL,
	attempt           bigint NOT NULL,
	run_at            bigint NOT NULL,
	lease_owner       text COLLATE "C" NOT NULL,
	lease_until       bigint NOT NULL,
	cancel_requested  boolean NOT NULL,
	last_error        text COLLATE "C" NOT NULL,
	created_at        bigint NOT NULL,
	updated_at        bigint NOT NULL,
	river_id          bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (id)
);
CREATE TABLE renders (
	id            text COLLATE "C" NOT NULL,
	user_id       text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	status        text COLLATE "C" NOT NULL CHECK (status IN ('rendering', 'completed', 'failed')),
	style         text COLLATE "C" NOT NULL,
	aspect_ratio  text COLLATE "C" NOT NULL,
	title         text COLLATE "C" NOT NULL,
	start         bigint NOT NULL,
	"end"         bigint NOT NULL,
	progress      double precision NOT NULL,
	message       text COLLATE "C" NOT NULL,
	blob_key      text COLLATE "C" NOT NULL,
	size          bigint NOT NULL,
	created_at    bigint NOT NULL,
	updated_at    bigint NOT NULL,
	error_hint    text COLLATE "C" NOT NULL,
	error_rule    text COLLATE "C" NOT NULL,
	error_code    text COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE prompts (
	id           text COLLATE "C" NOT NULL,
	space_id     text COLLATE "C" NOT NULL,
	name         text COLLATE "C" NOT NULL,
	type         text COLLATE "C" NOT NULL,
	description  text COLLATE "C" NOT NULL,
	text         text COLLATE "C" NOT NULL,
	disabled     boolean NOT NULL,
	created_at   bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE outputs (
	id            text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	space_id      text COLLATE "C" NOT NULL,
	user_id       text COLLATE "C" NOT NULL,
	prompt_id     text COLLATE "C" NOT NULL,
	type          text COLLATE "C" NOT NULL,
	name          text COLLATE "C" NOT NULL,
	prompt        text COLLATE "C" NOT NULL,
	status        text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'retrying', 'completed', 'failed', 'canceled')),
	text          text COLLATE "C" NOT NULL,
	error         text COLLATE "C" NOT NULL,
	created_at    bigint NOT NULL,
	updated_at    bigint NOT NULL,
	error_hint    text COLLATE "C" NOT NULL,
	error_rule    text COLLATE "C" NOT NULL,
	error_code    text COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE chats (
	id             text COLLATE "C" NOT NULL,
	user_id        text COLLATE "C" NOT NULL,
	message        text COLLATE "C" NOT NULL,
	recording_ids  text COLLATE "C",
	status         text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'completed')),
	answer         text COLLATE "C" NOT NULL,
	created_at     bigint NOT NULL,
	updated_at     bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE suggestions (
	id            text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	kind          text COLLATE "C" NOT NULL,
	title         text COLLATE "C" NOT NULL,
	excerpt       text COLLATE "C" NOT NULL,
	score         bigint NOT NULL,
	start         bigint NOT NULL,
	"end"         bigint NOT NULL,
	created_at    bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE imports (
	id                 text COLLATE "C" NOT NULL,
	user_id            text COLLATE "C" NOT NULL,
	account_id         text COLLATE "C" NOT NULL,
	space_id           text COLLATE "C" NOT NULL,
	url                text COLLATE "C" NOT NULL,
	title              text COLLATE "C" NOT NULL,
	status             text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'error', 'canceled')),
	progress           double precision NOT NULL,
	error              text COLLATE "C" NOT NULL,
	recording_id       text COLLATE "C" NOT NULL,
	size               bigint NOT NULL,
	feed_item          text COLLATE "C" NOT NULL,
	rss                text COLLATE "C",
	episode_number     bigint,
	season_number      bigint,
	published_at       bigint,
	created_at         bigint NOT NULL,
	updated_at         bigint NOT NULL,
	error_hint         text COLLATE "C" NOT NULL,
	error_rule         text COLLATE "C" NOT NULL,
	language           text COLLATE "C" NOT NULL,
	detect_language    boolean NOT NULL,
	speakers_expected  bigint NOT NULL,
	context_prompt     text COLLATE "C" NOT NULL,
	external_id        text COLLATE "C" NOT NULL,
	metadata           text COLLATE "C",
	error_code         text COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE translations (
	transcript_id  text COLLATE "C" NOT NULL,
	language       text COLLATE "C" NOT NULL,
	glossary       text COLLATE "C" NOT NULL,
	created_at     bigint NOT NULL,
	utterances     bytea,
	PRIMARY KEY (transcript_id, language)
);
CREATE TABLE documents (
	key           bigint GENERATED ALWAYS AS IDENTITY,
	id            text COLLATE "C" NOT NULL UNIQUE,
	space_id      text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	output_id     text COLLATE "C" NOT NULL,
	length        bigint NOT NULL,
	PRIMARY KEY (key)
);
CREATE TABLE postings (
	term      bytea NOT NULL,
	kind      bigint NOT NULL,
	document  bigint NOT NULL,
	parts     bytea NOT NULL,
	PRIMARY KEY (term, kind, document)
);
CREATE TABLE webhooks (
	id           text COLLATE "C" NOT NULL,
	user_id      text COLLATE "C" NOT NULL,
	account_id   text COLLATE "C" NOT NULL,
	space_id     text COLLATE "C" NOT NULL,
	url          text COLLATE "C" NOT NULL,
	events       text COLLATE "C",
	description  text COLLATE "C" NOT NULL,
	disabled     boolean NOT NULL,
	secrets      text COLLATE "C",
	created_at   bigint NOT NULL,
	updated_at   bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE deliveries (
	id          text COLLATE "C" NOT NULL,
	webhook_id  text COLLATE "C" NOT NULL,
	event_id    text COLLATE "C" NOT NULL,
	event       text COLLATE "C" NOT NULL,
	status      text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'retrying', 'delivered', 'failed')),
	created_at  bigint NOT NULL,
	updated_at  bigint NOT NULL,
	body        bytea,
	attempts    bytea,
	PRIMARY KEY (id)
);
CREATE TABLE deletions (
	id            text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	space_id      text COLLATE "C" NOT NULL,
	account_id    text COLLATE "C" NOT NULL,
	upload_id     text COLLATE "C" NOT NULL,
	import_id     text COLLATE "C" NOT NULL,
	blob_key      text COLLATE "C" NOT NULL,
	size          bigint NOT NULL,
	created_at    bigint NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE chat_recordings (
	recording_id  text COLLATE "C" NOT NULL,
	chat_id       text COLLATE "C" NOT NULL,
	PRIMARY KEY (recording_id, chat_id)
);
CREATE TABLE edits (
	id            text COLLATE "C" NOT NULL,
	recording_id  text COLLATE "C" NOT NULL,
	user_id       text COLLATE "C" NOT NULL,
	revision      bigint NOT NULL,
	created_at    bigint NOT NULL,
	operations    text COLLATE "C",
	PRIMARY KEY (id)
);
CREATE TABLE events (
	number         bigint NOT NULL,
	kind           text COLLATE "C" NOT NULL,
	at             bigint NOT NULL,
	user_id        text COLLATE "C" NOT NULL,
	space_id       text COLLATE "C" NOT NULL,
	recording_id   text COLLATE "C" NOT NULL,
	transcript_id  text COLLATE "C" NOT NULL,
	import_id      text COLLATE "C" NOT NULL,
	render_id      text COLLATE "C" NOT NULL,
	output_id      text COLLATE "C" NOT NULL,
	chat_id        text COLLATE "C" NOT NULL,
	language       text COLLATE "C" NOT NULL,
	state          text COLLATE "C" NOT NULL,
	progress       double precision NOT NULL,
	message        text COLLATE "C" NOT NULL,
	error          text COLLATE "C" NOT NULL,
	error_code     text COLLATE "C" NOT NULL,
	error_hint     text COLLATE "C" NOT NULL,
	error_rule     text COLLATE "C" NOT NULL,
	PRIMARY KEY (number)
);
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE INDEX keys_by_user ON keys (user_id, created_at, id);
CREATE INDEX recordings_by_space ON recordings (space_id, created_at DESC, id DESC);
CREATE INDEX speakers_by_space ON speakers (space_id, created_at, id);
CREATE INDEX roles_by_space ON roles (space_id, created_at, id);
CREATE UNIQUE INDEX jobs_live ON jobs (key) WHERE status IN ('queued', 'running', 'retrying');
CREATE INDEX jobs_waiting ON jobs (class, tenant, run_at, id) WHERE status IN ('queued', 'retrying');
CREATE INDEX jobs_due ON jobs (class, run_at) WHERE status IN ('queued', 'retrying');
CREATE INDEX jobs_running ON jobs (class, tenant, lease_until) WHERE status = 'running';
CREATE INDEX jobs_over ON jobs (updated_at) WHERE status IN ('completed', 'failed', 'canceled');
CREATE INDEX members_by_space ON members (space_id, user_id);
CREATE INDEX prompts_by_space ON prompts (space_id, created_at, id);
CREATE INDEX outputs_by_recording ON outputs (recording_id, created_at, id);
CREATE INDEX suggestions_by_recording ON suggestions (recording_id, score DESC, id);
CREATE INDEX imports_by_item ON imports (space_id, feed_item, created_at, id) WHERE feed_item <> '';
CREATE INDEX postings_by_document ON postings (document);
CREATE INDEX webhooks_by_user ON webhooks (user_id, created_at, id);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_over ON deliveries (updated_at, id) WHERE status IN ('delivered', 'failed');
CREATE INDEX recordings_by_external_id ON recordings (space_id, external_id) WHERE external_id <> '';
CREATE INDEX imports_by_external_id ON imports (space_id, external_id, created_at, id) WHERE external_id <> '';
CREATE INDEX users_by_account ON users (account_id, created_at, id);
CREATE INDEX deletions_by_recording ON deletions (recording_id, created_at, id);
CREATE INDEX chat_recordings_by_chat ON chat_recordings (chat_id, recording_id);
CREATE INDEX transcripts_by_recording ON transcripts (recording_id, id) WHERE recording_id <> '';
CREATE INDEX renders_by_recording ON renders (recording_id, created_at, id);
CREATE INDEX assignments_by_speaker ON assignments (speaker_id, recording_id, label);
CREATE INDEX documents_by_recording ON documents (recording_id, id);
CREATE INDEX jobs_by_ref ON jobs (ref, id);
CREATE INDEX edits_by_recording ON edits (recording_id, revision, id);

-- Retries of lost transactions queue here: see retry.go.
CREATE TABLE lane (id bigint PRIMARY KEY);

-- Requests per key and window, for rate limits. Unlogged: a crash of the server forgets them.
CREATE UNLOGGED TABLE request_counts (
	key        text COLLATE "C" NOT NULL PRIMARY KEY,
	window_end bigint NOT NULL, -- microseconds since 1970
	requests   bigint NOT NULL
);

-- Values that all processes must share, such as the fingerprint of the signing keys.
CREATE TABLE agreements (
	name  text COLLATE "C" NOT NULL PRIMARY KEY,
	value text NOT NULL
);

-- The trace that a job belongs to, as a W3C traceparent; only with traces.
CREATE TABLE job_traces (
	job_id text COLLATE "C" NOT NULL PRIMARY KEY,
	parent text NOT NULL
);
