-- Recordings can be deleted: what a deletion still has to remove is a row, and everything about a recording or a speaker is found by an index.
CREATE TABLE deletions (
	id            TEXT NOT NULL PRIMARY KEY,
	recording_id  TEXT NOT NULL,
	space_id      TEXT NOT NULL,
	account_id    TEXT NOT NULL,
	upload_id     TEXT NOT NULL,
	import_id     TEXT NOT NULL,
	blob_key      TEXT NOT NULL,
	size          INTEGER NOT NULL,
	created_at    INTEGER NOT NULL,
	row_sum       INTEGER
) STRICT;
CREATE INDEX deletions_by_recording ON deletions (recording_id, created_at, id);

-- The recordings that chats use, from chats.recording_ids.
CREATE TABLE chat_recordings (
	recording_id TEXT NOT NULL,
	chat_id      TEXT NOT NULL,
	PRIMARY KEY (recording_id, chat_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_recordings_by_chat ON chat_recordings (chat_id, recording_id);
INSERT INTO chat_recordings SELECT DISTINCT value, chats.id FROM chats, json_each(recording_ids);

CREATE INDEX transcripts_by_recording ON transcripts (recording_id, id) WHERE recording_id <> '';
CREATE INDEX renders_by_recording ON renders (recording_id, created_at, id);
CREATE INDEX assignments_by_speaker ON assignments (speaker_id, recording_id, label);
CREATE INDEX documents_by_recording ON documents (recording_id, id);
CREATE INDEX jobs_by_ref ON jobs (ref, id);

-- How long the recordings of a space are kept, in microseconds; 0 for ever.
ALTER TABLE spaces ADD COLUMN retention INTEGER NOT NULL DEFAULT 0;
UPDATE spaces SET row_sum = NULL;
