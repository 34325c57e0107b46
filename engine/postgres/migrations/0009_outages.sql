-- +goose Up

-- Jobs count the attempts that failed because a service could not work.
ALTER TABLE jobs ADD COLUMN outages bigint NOT NULL DEFAULT 0;
