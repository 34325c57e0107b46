-- +goose Up

-- Statistics of a queue are out of date as soon as a tenant sends many jobs. When they said that few jobs wait, the planner took an index that
-- doesn't fit (jobs_due, jobs_live), and a claim read every waiting job of the class once per tenant. Without statistics about status, it
-- expects that one job in a hundred waits. Programs of the version before go on working without the index.
DROP INDEX jobs_due;
ALTER TABLE jobs ALTER COLUMN status SET STATISTICS 0;
