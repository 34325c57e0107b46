package render

import (
	"compress/gzip"
	"embed"
	"io"
	"sync"
)

// Two families for headlines and bold captions come with the program, because systems have few heavy fonts. Both are under the SIL Open
// Font License; fonts has the licences.
//
//go:embed fonts/*.ttf.gz
var fontFiles embed.FS

// bundled are the files of the families that come with the program.
var bundled = map[string]func() []byte{
	"Montserrat ExtraBold": sync.OnceValue(func() []byte { return unpacked("fonts/Montserrat-ExtraBold.ttf.gz") }),
	"Anton":                sync.OnceValue(func() []byte { return unpacked("fonts/Anton-Regular.ttf.gz") }),
}

// bundledFont returns the file of a family that comes with the program, or nil.
func bundledFont(family string) []byte {
	if file, ok := bundled[family]; ok {
		return file()
	}
	return nil
}

// unpacked returns an embedded file. It is part of the program, so a mistake is a panic.
func unpacked(name string) []byte {
	packed, err := fontFiles.Open(name)
	if err != nil {
		panic(err)
	}
	plain, err := gzip.NewReader(packed)
	if err != nil {
		panic(err)
	}
	b, err := io.ReadAll(plain)
	if err != nil {
		panic(err)
	}
	return b
}
