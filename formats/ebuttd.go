package formats

import (
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteEBUTTD writes EBU-TT-D (EBU Tech 3380), the distribution format of European broadcasters, with the contents of WriteTTML. Such files
// are usually named *.xml.
func WriteEBUTTD(w io.Writer, t transcript.Transcript, o Options) error {
	return writeTimedText(w, t, o, timedText{
		root: ` xmlns:ebuttm="urn:ebu:tt:metadata"`,
		metadata: "<ebuttm:documentMetadata>\n<ebuttm:conformsToStandard>urn:ebu:tt:distribution:2018-04</ebuttm:conformsToStandard>\n" +
			"<ebuttm:conformsToStandard>http://www.w3.org/ns/ttml/profile/imsc1/text</ebuttm:conformsToStandard>\n</ebuttm:documentMetadata>\n",
	})
}
