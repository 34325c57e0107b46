-- +goose NO TRANSACTION
-- +goose Up

-- Operators list the recordings of all spaces by status. The index is built beside writes. An interrupted migration leaves an invalid index.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS recordings_by_status;
CREATE INDEX CONCURRENTLY recordings_by_status ON recordings (transcript_status, created_at, id);
RESET lock_timeout;
