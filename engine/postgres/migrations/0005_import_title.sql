-- +goose Up

-- Imports say whether their recording is titled without the extension of its file.
ALTER TABLE imports ADD COLUMN bare_title boolean NOT NULL DEFAULT false;
