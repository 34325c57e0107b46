-- Recordings name the import that created them.

ALTER TABLE recordings ADD COLUMN import_id TEXT NOT NULL DEFAULT '';
UPDATE recordings SET import_id = imports.id FROM imports WHERE imports.recording_id = recordings.id;
