package engine

// notFoundAs returns an error of a look-up on the way to a row as NotFound of what was asked for, so that somebody else's looks
// like none. Other errors, of a store that fails, stay what they are.
func notFoundAs(op, what string, err error) error {
	if CodeOf(err) == CodeNotFound {
		return NotFound(op, what)
	}
	return err
}
