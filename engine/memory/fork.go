package memory

// Fork returns a Store that has what s has now; neither sees what the other writes from then on.
func (s *Store) Fork() *Store {
	s.mu.RLock()
	defer s.mu.RUnlock()
	from, to := s.tables, newTables()
	copyRows(from.accounts, to.accounts)
	copyRows(from.users, to.users)
	copyRows(from.keys, to.keys)
	copyRows(from.spaces, to.spaces)
	copyRows(from.members, to.members)
	copyRows(from.uploads, to.uploads)
	copyRows(from.recordings, to.recordings)
	copyRows(from.transcripts, to.transcripts)
	copyRows(from.speakers, to.speakers)
	copyRows(from.roles, to.roles)
	copyRows(from.assignments, to.assignments)
	copyRows(from.prompts, to.prompts)
	copyRows(from.outputs, to.outputs)
	copyRows(from.chats, to.chats)
	copyRows(from.suggestions, to.suggestions)
	copyRows(from.imports, to.imports)
	copyRows(from.translations, to.translations)
	copyRows(from.documents, to.documents)
	copyRows(from.webhooks, to.webhooks)
	copyRows(from.deliveries, to.deliveries)
	copyRows(from.renders, to.renders)
	copyRows(from.jobs, to.jobs)
	return &Store{tables: to}
}

// copyRows shares the rows, which are never changed.
func copyRows[K comparable, V any](from, to *table[K, V]) {
	for id, row := range from.rows {
		to.set(id, row)
	}
}
