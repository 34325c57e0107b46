-- +goose Up

-- A token of each transaction that wrote something, for a few minutes. A client whose connection was lost during a commit looks for its token.
-- There is no index: every transaction writes here, and few read.
CREATE TABLE commits (
    token    text COLLATE "C" NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now()
);
