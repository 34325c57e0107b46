package engine

import "errors"

// notFoundAs returns an error of a look-up on the way to a row as NotFound of what was asked for, so that somebody else's looks
// like none. Other errors, of a store that fails, stay what they are.
func notFoundAs(op, what string, err error) error {
	if CodeOf(err) == CodeNotFound {
		return NotFound(op, what)
	}
	return err
}

// ruledAs names the rule of an error that has a code and no rule of its own. Other errors stay what they are.
func ruledAs(code Code, rule Rule, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Rule != "" {
		return err
	}
	ruled := e.WithRule(rule)
	if err != e { // there is something around it, which belongs into the log
		ruled.Op, ruled.Err = "", err
	}
	return ruled
}

// adviceOf returns what a row keeps of an error beside its sentence: what to do about it, and its rule.
func adviceOf(err error) (hint string, rule Rule) {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint, e.Rule
	}
	return "", ""
}
