package pdffile_test

import (
	"bytes"
	"testing"

	"github.com/jung-kurt/gofpdf"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
)

func made(t *testing.T) []byte {
	t.Helper()
	doc := gofpdf.New("P", "pt", "A4", "")
	doc.SetCatalogSort(true)
	doc.SetCompression(false)
	for range 3 {
		doc.AddPage()
		doc.RawWriteStr("0 0 m 10 10 l S")
	}
	doc.Bookmark("x", 0, 0)
	var b bytes.Buffer
	require.NoError(t, doc.Output(&b))
	return b.Bytes()
}

// Objects are found, replaced and added, and writing is deterministic.
func TestFile(t *testing.T) {
	t.Parallel()
	f, err := pdffile.Parse(made(t))
	require.NoError(t, err)
	require.Contains(t, string(f.Object(f.Root)), "/Type /Catalog")
	for n := 1; n <= f.Len(); n++ {
		require.NotEmpty(t, f.Object(n), n)
	}
	before := f.Len()
	n := f.Add("<</A 1>>")
	require.Equal(t, before+1, n)
	f.Set(n, "<</A 2>>")
	require.Equal(t, "<</A 2>>", string(f.Object(n)))
	f.Compress()
	b := f.Bytes(n)
	require.True(t, bytes.HasPrefix(b, []byte("%PDF-1.7\n")))
	require.NotContains(t, string(b), "10 10 l S")
	require.Equal(t, b, f.Bytes(n))
}

// Text strings are UTF-16 in hexadecimal, also beyond the basic plane.
func TestText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<FEFF00E9D842DFB7>", pdffile.Text("é𠮷"))
}

// Parse returns an error or a file for any bytes.
func FuzzParse(f *testing.F) {
	f.Add([]byte("%PDF-1.3\nxref\n0 1\n0000000000 65535 f \nstartxref\n9\n%%EOF"))
	f.Add([]byte("startxref\n-1"))
	f.Add([]byte("xref\n0 99999\nstartxref\n0\n%%EOF"))
	f.Add([]byte("x\nxref\n0 2\n0000000000 65535 f \n-000000001 00000 n \ntrailer\n<</Root 1 0 R>>\nstartxref\n2\n%%EOF"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if file, err := pdffile.Parse(b); err == nil {
			file.Len()
		}
	})
}
