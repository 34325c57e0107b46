-- Failed rows have a hint and the rule that decided the failure.
ALTER TABLE transcripts ADD COLUMN error_hint TEXT NOT NULL DEFAULT '';
ALTER TABLE transcripts ADD COLUMN error_rule TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN error_hint TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN error_rule TEXT NOT NULL DEFAULT '';
ALTER TABLE outputs ADD COLUMN error_hint TEXT NOT NULL DEFAULT '';
ALTER TABLE outputs ADD COLUMN error_rule TEXT NOT NULL DEFAULT '';
ALTER TABLE renders ADD COLUMN error_hint TEXT NOT NULL DEFAULT '';
ALTER TABLE renders ADD COLUMN error_rule TEXT NOT NULL DEFAULT '';
