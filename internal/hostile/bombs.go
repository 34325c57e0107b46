package hostile

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// bombs returns small files that claim or contain much.
func bombs(seeds []File) []File {
	var files []File
	add := func(name string, b []byte) { files = append(files, File{"bomb-" + name, Bomb, b}) }
	add("1hz.wav", wave(1, 1, 16, 2<<20, 2<<20))
	add("4ghz.wav", wave(1<<32-1, 1, 16, 1<<20, 1<<16))
	add("65535-channels.wav", wave(16_000, 65_535, 16, 1<<20, 1<<18))
	add("64-channels.wav", wave(192_000, 64, 16, 1<<20, 1<<20))
	add("no-bits.wav", wave(16_000, 1, 0, 1<<16, 1<<16))
	add("65535-bits.wav", wave(16_000, 1, 65_535, 1<<16, 1<<16))
	add("endless.wav", wave(16_000, 1, 16, 1<<32-1, 1<<10))
	add("30-hours.flac", silence(30*3600))
	add("11-hours.flac", silence(11*3600))
	add("picture.mp3", cover(65_535, 65_535, 1<<24))
	add("square.mp3", cover(7_000, 7_000, 1<<24))
	add("picture.png", png(1<<31-1, 1<<31-1, 1<<10))
	add("nested.mp4", nested(20_000))
	add("zip.mp4", zeros())
	add("zeros.mp4", make([]byte, 1<<20))
	add("ones.mp3", bytes.Repeat([]byte{0xff}, 1<<20))
	add("sync.mp3", bytes.Repeat([]byte{0xff, 0xfb, 0x10, 0x00}, 1<<18)) // frames of 8 kbit/s
	add("sync.aac", bytes.Repeat([]byte{0xff, 0xf1, 0x50, 0x80, 0x00, 0xff, 0xfc}, 1<<17))
	add("tags.mp3", []byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7fTIT2\x7f\x7f\x7f\x7f\x00\x00"+strings.Repeat("a", 1<<16)))
	for _, seed := range seeds {
		for _, c := range claims {
			if i := bytes.Index(seed.Bytes, []byte(c.tag)); i >= 0 && i+c.offset+len(c.value) <= len(seed.Bytes) {
				b := slices.Clone(seed.Bytes)
				copy(b[i+c.offset:], c.value)
				add(strings.TrimSpace(c.name)+"-"+seed.Name, b)
			}
		}
	}
	return files
}

// claims are values that headers of media can't have, with their offset behind a tag.
var claims = []struct {
	name, tag string
	offset    int
	value     string
}{
	{"duration", "mvhd", 20, "\xff\xff\xff\xff"},
	{"timescale", "mvhd", 16, "\x00\x00\x00\x01"},
	{"media-timescale", "mdhd", 16, "\x00\x00\x00\x01"},
	{"size", "avc1", 28, "\xff\xff\xff\xff"},
	{"rate", "mp4a", 28, "\x00\x01\x00\x00"},
	{"channels", "mp4a", 20, "\xff\xff"},
	{"time-to-sample", "stts", 8, "\x00\x00\x00\x01\x7f\xff\xff\xff\x00\x00\x04\x00"},
	{"sample-length", "stts", 16, "\x7f\xff\xff\xff"},
	{"samples", "stsz", 12, "\xff\xff\xff\xff"},
	{"chunks", "stco", 8, "\xff\xff\xff\xff"},
	{"entries", "stsc", 8, "\xff\xff\xff\xff"},
	{"frames", "Xing", 4, "\x00\x00\x00\x0f\xff\xff\xff\xff\xff\xff\xff\xff"},
	{"frames", "Info", 4, "\x00\x00\x00\x0f\xff\xff\xff\xff\xff\xff\xff\xff"},
	{"frames", "avih", 24, "\xff\xff\xff\xff"},
	{"microseconds", "avih", 8, "\xff\xff\xff\xff"},
	{"size", "strf", 12, "\xff\xff\xff\x7f\xff\xff\xff\x7f"},
	{"length", "strh", 40, "\xff\xff\xff\xff"},
	{"rate", "COMM", 16, "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
	{"frames", "COMM", 10, "\xff\xff\xff\xff"},
	{"rate", "desc", 12, "\x7f\xef\xff\xff\xff\xff\xff\xff"},
	{"packet", "desc", 28, "\x00\x00\x00\x00\x00\x00\x00\x00"},
	{"samples", "fLaC", 18, "\x0f\xff\xff\xff\xff\xff\xff\xff"},
	{"block", "fLaC", 8, "\xff\xff\xff\xff"},
	{"rate", "OpusHead", 12, "\xff\xff\xff\xff"},
	{"channels", "OpusHead", 9, "\xff"},
	{"granule", "OggS", 6, "\xff\xff\xff\xff\xff\xff\xff\x7f"},
	{"scale", "\x2a\xd7\xb1", 4, "\x7f\xff\xff"},
	{"duration", "\x44\x89", 3, "\x7f\xef\xff\xff\xff\xff\xff\xff"},
	{"duration", "onMetaData", 30, "\x7f\xef\xff\xff\xff\xff\xff\xff"},
}

// wave returns a WAV file with the sizes that it claims, followed by silence.
func wave(rate uint32, channels, bits uint16, claimed, silence int) []byte {
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(claimed)+36)
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00"...)
	b = binary.LittleEndian.AppendUint16(b, channels)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate*uint32(channels)*uint32(bits)/8)
	b = binary.LittleEndian.AppendUint16(b, uint16(uint32(channels)*uint32(bits)/8))
	b = binary.LittleEndian.AppendUint16(b, bits)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(claimed))
	return append(b, make([]byte, silence)...)
}

// nested returns an MP4 of boxes within boxes.
func nested(depth int) []byte {
	b := []byte(box("ftyp", "isom\x00\x00\x02\x00isom"))
	for i := depth; i > 0; i-- {
		b = binary.BigEndian.AppendUint32(b, uint32(8*i))
		b = append(b, "moov"...)
	}
	return b
}

// zeros returns an archive of 64 MiB of zeros.
func zeros() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("talk.mp4")
	if err == nil {
		_, _ = io.CopyN(w, zeroReader{}, 64<<20)
	}
	_ = z.Close()
	return b.Bytes()
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// png returns a picture that claims a width and a height in pixels, and unpacks to size bytes. Source: PNG specification, sections 5.3 and 11.2.
func png(width, height uint32, size int64) []byte {
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	_, _ = io.CopyN(z, zeroReader{}, size)
	_ = z.Close()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	b := []byte("\x89PNG\r\n\x1a\n")
	for _, c := range []struct{ kind, data string }{{"IHDR", string(header) + "\x08\x02\x00\x00\x00"}, {"IDAT", data.String()}, {"IEND", ""}} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(c.data)))
		b = append(b, c.kind+c.data...)
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(c.kind+c.data)))
	}
	return b
}

// cover returns an MP3 with a picture in its tag. Source: ID3v2.4, sections 3.1 and 4.14.
func cover(width, height uint32, size int64) []byte {
	picture := "\x00image/png\x00\x03\x00" + string(png(width, height, size))
	frame := "APIC" + synchsafe(len(picture)) + "\x00\x00" + picture
	b := []byte("ID3\x04\x00\x00" + synchsafe(len(frame)) + frame)
	for range 100 { // 100 silent frames: MPEG-1 layer 3, 128 kbit/s, 44.1 kHz
		b = append(append(b, 0xff, 0xfb, 0x90, 0x64), make([]byte, 413)...)
	}
	return b
}

func synchsafe(n int) string {
	return string([]byte{byte(n >> 21 & 0x7f), byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)})
}
