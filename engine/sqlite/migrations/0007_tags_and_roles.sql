-- Recordings and imports have an external id and metadata, and imports the settings of their recording. The new columns change the
-- checksums, which are written after the last migration.
ALTER TABLE recordings ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
ALTER TABLE recordings ADD COLUMN metadata TEXT; -- JSON: an object of texts
UPDATE recordings SET row_sum = NULL;
CREATE INDEX recordings_by_external_id ON recordings (space_id, external_id) WHERE external_id <> '';

ALTER TABLE imports ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN detect_language INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN speakers_expected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN context_prompt TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN metadata TEXT;
UPDATE imports SET row_sum = NULL;
CREATE INDEX imports_by_external_id ON imports (space_id, external_id, created_at, id) WHERE external_id <> '';

-- Accounts limit the tiers of their keys, and spaces have owners; none means that every member is one.
ALTER TABLE accounts ADD COLUMN tier TEXT NOT NULL DEFAULT '';
UPDATE accounts SET row_sum = NULL;
ALTER TABLE spaces ADD COLUMN owners TEXT;
UPDATE spaces SET row_sum = NULL;
CREATE INDEX users_by_account ON users (account_id, created_at, id);
