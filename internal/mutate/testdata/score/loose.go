package score

type list[T any] struct{ all []T }

// add is tested without its limit, and with one blank parameter.
func (l *list[T]) add(_ string, all ...T) bool {
	if len(l.all)+len(all) > 100 {
		return false
	}
	l.all = append(l.all, all...)
	return true
}

// Untested has no test.
func Untested(a, b bool) bool { return a && b }

// Count doesn't end if its loop counts down.
func Count() (n int) {
	for ; n != 10; n++ {
	}
	return
}
