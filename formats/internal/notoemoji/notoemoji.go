// Package notoemoji has the font Noto Emoji: outlines in one colour for every emoji, with sequences such as flags and families.
// It is files/noto-emoji-emoji-400-normal.woff of the npm package @fontsource/noto-emoji 5.3.2. OFL.txt has its licence, SIL OFL 1.1.
// Debian has no package of it.
package notoemoji

import _ "embed" // for the font

// WOFF is the font as a WOFF file. Don't change the bytes.
//
//go:embed NotoEmoji-Regular.woff
var WOFF []byte
