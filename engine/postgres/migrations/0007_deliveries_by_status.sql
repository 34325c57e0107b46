-- +goose NO TRANSACTION
-- +goose Up

-- Operators list the deliveries of all webhooks by status.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS deliveries_by_status;
CREATE INDEX CONCURRENTLY deliveries_by_status ON deliveries (status, created_at, id);
RESET lock_timeout;
