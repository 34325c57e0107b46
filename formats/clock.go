package formats

import (
	"fmt"
	"strconv"
	"time"
)

// clock formats a time as hours, minutes and seconds, "00:01:23". Hours have at least two digits.
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	b := make([]byte, 0, len("00:00:00"))
	if s < 10*3600 {
		b = append(b, '0')
	}
	b = strconv.AppendInt(b, s/3600, 10)
	m, s := s/60%60, s%60
	return string(append(b, ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10)))
}

// clockMillis formats a time with milliseconds, "00:01:23.456".
func clockMillis(d time.Duration) string {
	return fmt.Sprintf("%s.%03d", clock(d), milliseconds(d)%1000)
}
