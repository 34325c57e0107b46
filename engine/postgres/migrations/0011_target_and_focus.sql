-- +goose Up

-- Renders have a target and a focus.
ALTER TABLE renders ADD COLUMN target text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE renders ADD COLUMN focus text COLLATE "C" NOT NULL DEFAULT '';
