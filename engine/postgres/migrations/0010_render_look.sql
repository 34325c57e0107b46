-- +goose Up

-- Renders may have a style as data: JSON, or '' for none.
ALTER TABLE renders ADD COLUMN look text COLLATE "C" NOT NULL DEFAULT '';
