CREATE TABLE renders (
	id           TEXT NOT NULL PRIMARY KEY,
	user_id      TEXT NOT NULL,
	recording_id TEXT NOT NULL,
	status       TEXT NOT NULL CHECK (status IN ('rendering', 'completed', 'failed')),
	style        TEXT NOT NULL,
	aspect_ratio TEXT NOT NULL,
	title        TEXT NOT NULL,
	start        INTEGER NOT NULL, -- of the window, microseconds of the media
	"end"        INTEGER NOT NULL,
	progress     REAL NOT NULL,
	message      TEXT NOT NULL,
	blob_key     TEXT NOT NULL,
	size         INTEGER NOT NULL,
	created_at   INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL
) STRICT;
