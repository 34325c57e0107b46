-- Imports say whether their recording is titled without the extension of its file.
ALTER TABLE imports ADD COLUMN bare_title INTEGER NOT NULL DEFAULT 0;
UPDATE imports SET row_sum = NULL;
