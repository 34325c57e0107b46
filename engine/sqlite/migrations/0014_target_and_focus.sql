-- Renders have a target and a focus.
ALTER TABLE renders ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE renders ADD COLUMN focus TEXT NOT NULL DEFAULT '';
UPDATE renders SET row_sum = NULL;
