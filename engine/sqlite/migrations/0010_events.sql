-- The log of events. Numbers have no gaps; the last event is never deleted, so that no number is used twice.
CREATE TABLE events (
	number        INTEGER PRIMARY KEY,
	kind          TEXT NOT NULL,
	at            INTEGER NOT NULL, -- microseconds since 1970
	user_id       TEXT NOT NULL,
	space_id      TEXT NOT NULL,
	recording_id  TEXT NOT NULL,
	transcript_id TEXT NOT NULL,
	import_id     TEXT NOT NULL,
	render_id     TEXT NOT NULL,
	output_id     TEXT NOT NULL,
	chat_id       TEXT NOT NULL,
	language      TEXT NOT NULL,
	state         TEXT NOT NULL, -- of several machines
	progress      REAL NOT NULL,
	message       TEXT NOT NULL,
	error         TEXT NOT NULL,
	error_code    TEXT NOT NULL,
	error_hint    TEXT NOT NULL,
	error_rule    TEXT NOT NULL,
	row_sum       INTEGER
) STRICT;

-- Failed imports, outputs, and renders have the code of their error, as transcripts do; "" if they failed earlier.
ALTER TABLE imports ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
UPDATE imports SET row_sum = NULL;
ALTER TABLE outputs ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
UPDATE outputs SET row_sum = NULL;
ALTER TABLE renders ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
UPDATE renders SET row_sum = NULL;
