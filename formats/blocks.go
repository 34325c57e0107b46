package formats

import "time"

// blockStart returns the start of the block that a paragraph is in, and whether the paragraph is the first in its block. Blocks
// are used for headings and bookmarks at regular times.
func blockStart(previous, start, every time.Duration) (time.Duration, bool) {
	block := start.Truncate(every)
	return block, previous < 0 || block > previous.Truncate(every)
}
