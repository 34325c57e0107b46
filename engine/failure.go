package engine

import "errors"

// notFoundAs replaces the NotFound of an intermediate row by that of the requested row, so that another account's row looks missing.
// Other errors stay.
func notFoundAs(op, what string, err error) error {
	if CodeOf(err) == CodeNotFound {
		return NotFound(op, what)
	}
	return err
}

// addRule sets the rule of an error that has a code and no rule. Other errors stay.
func addRule(code Code, rule Rule, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Rule != "" {
		return err
	}
	ruled := e.WithRule(rule)
	if err != e { //nolint:errorlint // keep the wrapping error for the log
		ruled.Op, ruled.Err = "", err
	}
	return ruled
}

// hintAndRule returns what a row stores of an error besides its message: the hint and the rule.
func hintAndRule(err error) (hint string, rule Rule) {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint, e.Rule
	}
	return "", ""
}
