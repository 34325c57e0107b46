package hostile

import "encoding/binary"

// Values of a FLAC file of silence.
const (
	flacRate  = 8_000
	flacBlock = 65_535 // samples per frame, the most
)

// silence returns a FLAC file of silence, in about 2 bytes per second. Source: RFC 9639, sections 8 and 9.
func silence(seconds int) []byte {
	total := uint64(seconds) * flacRate
	info := binary.BigEndian.AppendUint16(nil, flacBlock)
	info = binary.BigEndian.AppendUint16(info, flacBlock)
	info = append(info, 0, 0, 0, 0, 0, 0) // frame sizes are unknown
	info = binary.BigEndian.AppendUint64(info, flacRate<<44|15<<36|total)
	info = append(info, make([]byte, 16)...) // no checksum
	b := append([]byte("fLaC\x80\x00\x00\x22"), info...)
	for n := range total / flacBlock {
		frame := []byte{0xff, 0xf8, 0x74, 0x08} // 16-bit block size, 8 kHz, mono, 16 bits
		frame = append(frame, string(rune(n))...)
		frame = binary.BigEndian.AppendUint16(frame, flacBlock-1)
		frame = append(frame, crc8(frame))
		frame = append(frame, 0, 0, 0) // a constant subframe
		frame = binary.BigEndian.AppendUint16(frame, crc16(frame))
		b = append(b, frame...)
	}
	return b
}

// crc8 is the checksum of a frame's header, with the polynomial x⁸+x²+x+1.
func crc8(b []byte) (crc byte) {
	for _, c := range b {
		crc ^= c
		for range 8 {
			crc = crc<<1 ^ crc>>7*0x07
		}
	}
	return crc
}

// crc16 is the checksum of a frame, with the polynomial x¹⁶+x¹⁵+x²+1.
func crc16(b []byte) (crc uint16) {
	for _, c := range b {
		crc ^= uint16(c) << 8
		for range 8 {
			crc = crc<<1 ^ crc>>15*0x8005
		}
	}
	return crc
}
