package formats_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats"
)

// Any template gives a document of well-formed XML, without the placeholders of its text, or an error that says what is wrong with it.
func FuzzTemplate(f *testing.F) {
	for _, c := range templateCases {
		f.Add(c.body, paragraphXML("{{title}}"), "A title", "Some text.\nMore https://a.b text.")
	}
	f.Add(`<w:p><w:pPr><w:jc w:val="x"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t><![CDATA[{{transcript}}]]></w:t></w:r></w:p>`, "{{", "{{date}}", "]]>")
	f.Fuzz(func(t *testing.T, body, header, title, summary string) {
		tr, o := full()
		o.Title, o.Summary = title, summary
		o.Template = template(t, body, map[string]string{"word/header1.xml": `<w:hdr xmlns:w="` + wordXML + `">` + header + "</w:hdr>"})
		var out bytes.Buffer
		if err := formats.WriteDOCX(&out, tr, o); err != nil {
			require.Contains(t, []fault.Code{fault.CodeInvalid, fault.CodeTooLarge}, fault.CodeOf(err))
			require.NotEmpty(t, fault.Message(err))
			return
		}
		p := parts(t, out.Bytes())
		require.NotContains(t, p["word/document.xml"], "FILL0x")
		require.NotContains(t, p["word/header1.xml"], "FILL0x")
	})
}

// Any bytes as a template give a document or an error.
func FuzzTemplateFile(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add(template(f, paragraphXML("{{transcript}}"), nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		tr, o := full()
		o.Template = file
		start := time.Now()
		if err := formats.WriteDOCX(io.Discard, tr, o); err != nil {
			require.Contains(t, []fault.Code{fault.CodeInvalid, fault.CodeTooLarge}, fault.CodeOf(err))
		}
		require.Less(t, time.Since(start), 10*time.Second)
	})
}
