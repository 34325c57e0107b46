-- +goose NO TRANSACTION
-- +goose Up

-- Operators list all jobs by kind, class, and status. An index on an expression can't mislead the planner of claims: see 0003_jobs.sql.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS jobs_listed;
CREATE INDEX CONCURRENTLY jobs_listed ON jobs ((kind || ' ' || class || ' ' || status), created_at, id);
RESET lock_timeout;
