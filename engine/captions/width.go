package captions

// Width returns the columns of a caption line: East Asian wide characters take two, marks and joiners none.
func Width(line string) int { return displayWidth(line) }
