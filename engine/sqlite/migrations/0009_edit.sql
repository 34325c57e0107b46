-- Transcripts have edits, and recordings a revision of their transcript and the transcript of a new transcription.
ALTER TABLE recordings ADD COLUMN next_transcript_id TEXT NOT NULL DEFAULT '';
ALTER TABLE recordings ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
UPDATE recordings SET row_sum = NULL;

CREATE TABLE edits (
	id           TEXT NOT NULL PRIMARY KEY,
	recording_id TEXT NOT NULL,
	user_id      TEXT NOT NULL,
	revision     INTEGER NOT NULL,
	created_at   INTEGER NOT NULL,
	operations   TEXT, -- JSON
	row_sum      INTEGER
) STRICT;
CREATE INDEX edits_by_recording ON edits (recording_id, revision, id);
