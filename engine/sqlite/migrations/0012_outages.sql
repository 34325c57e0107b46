-- Jobs count the attempts that failed because a service could not work.
ALTER TABLE jobs ADD COLUMN outages INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET row_sum = NULL;
