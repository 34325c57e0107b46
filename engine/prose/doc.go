// Package prose splits plain text of every supported language into sentences. engine/fake and engine/writer use it to invent and quote
// sentences. Start with [Sentences]:
//
//	line := prose.Line(text)
//	for _, p := range prose.Sentences(line, "en") {
//		fmt.Println(line[p.From:p.To])
//	}
package prose
