-- +goose Up

-- A search for a common word reads the newest documents of a space.
CREATE INDEX documents_by_space ON documents (space_id, id);
