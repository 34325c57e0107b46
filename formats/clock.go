package formats

import (
	"fmt"
	"time"
)

// clock formats a time as hours, minutes and seconds, "00:01:23". Hours have at least two digits.
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// clockMillis formats a time with milliseconds, "00:01:23.456".
func clockMillis(d time.Duration) string {
	return fmt.Sprintf("%s.%03d", clock(d), milliseconds(d)%1000)
}
