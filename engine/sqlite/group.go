package sqlite

// group is a transaction that several Updates share, so that they wait for the disk once. Each runs alone, on its own goroutine, and returns
// after the commit.
//
// The first Update begins the transaction and runs its fn. Then it gives the writer away, and waits for it again behind the Updates that
// already wait. Each of these runs its fn in a savepoint. When the first one has the writer back, it commits for all. Without company it has
// the writer back at once.
type group struct {
	ended chan struct{} // closed at the end
	err   error         // why nothing was committed; set before the end
}

// begin runs fn in a new group. If fn fails, there is no group.
func (s *Store) begin(c *conn, fn func(*tx) error) (*group, error) {
	if err := c.begin(beginImmediate); err != nil {
		return nil, translate(err)
	}
	if err := attempt(c, fn, func(error) { _ = c.rollback() }); err != nil {
		return nil, err
	}
	s.group = &group{ended: make(chan struct{})}
	return s.group, nil
}

// join runs fn in the group that is open.
func (s *Store) join(c *conn, fn func(*tx) error) error {
	if err := c.exec("SAVEPOINT member"); err != nil {
		return translate(err)
	}
	return attempt(c, func(t *tx) error {
		if err := fn(t); err != nil || t.err != nil {
			return err
		}
		return t.exec("RELEASE member")
	}, func(cause error) { s.leave(c, cause) })
}

// leave undoes what a member wrote. If SQLite ended the transaction with the member's failed statement, for example because the disk is full,
// the whole group fails.
func (s *Store) leave(c *conn, cause error) {
	err := c.exec("ROLLBACK TO member")
	if err == nil {
		err = c.exec("RELEASE member")
	}
	if err == nil {
		return
	}
	if cause == nil {
		cause = translate(err)
	}
	s.end(c, cause)
}

// commit ends a group. Its first member calls it, without the writer.
func (s *Store) commit(g *group) {
	select {
	case <-g.ended: // a member or Close ended it
		return
	case <-s.writer.free:
	}
	if s.group != g {
		s.writer.free <- struct{}{}
		return
	}
	c := s.writer.pop()
	s.end(c, translate(c.commit()))
	s.writer.put(c)
}

// end ends the open group. If err isn't nil, nothing is committed.
func (s *Store) end(c *conn, err error) {
	if err != nil {
		_ = c.rollback() // the pool closes a connection that is still in the transaction
	}
	g := s.group
	s.group, g.err = nil, err
	close(g.ended)
}

// giveBack gives the writer to the next Update. While a group is open, its transaction goes with it.
func (s *Store) giveBack(c *conn) {
	if s.group == nil {
		s.writer.put(c)
		return
	}
	s.writer.push(c)
	s.writer.free <- struct{}{}
}
