-- Renders may have a style as data: JSON, or '' for none.
ALTER TABLE renders ADD COLUMN look TEXT NOT NULL DEFAULT '';
UPDATE renders SET row_sum = NULL;
