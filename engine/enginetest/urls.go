package enginetest

// invalidURLs holds URLs that every Fetcher and Sender rejects as invalid.
var invalidURLs = []string{
	"", " ", "example.org/a.mp3", "//example.org/a.mp3", "ftp://example.org/a.mp3", "file:///etc/passwd", "gopher://example.org/", "data:audio/wav;base64,UklGRg==",
	"http://", "http:///a.mp3", "http://user:secret@example.org/", "http://exa mple.org/", "http://example.org:99999/", "http://[::1/", "\x00",
}

// nonPublicURLs holds URLs of this machine, of private networks, and of cloud metadata services.
var nonPublicURLs = []string{
	"http://127.0.0.1/", "http://127.9.9.9/", "http://localhost/", "https://[::1]/", "http://[::ffff:127.0.0.1]/", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/",
	"http://169.254.169.254/latest/meta-data/", "http://[fd00::1]/", "http://[fe80::1]/", "http://0.0.0.0/", "http://100.64.0.1/", "http://[64:ff9b::7f00:1]/", "http://224.0.0.1/",
	"http://0x7f.1/", "http://2130706433/",
}
