package main

import (
	"fmt"
	"slices"
	"strings"
)

// allowed are the licences that may be in a program under Apache-2.0. They ask for a copy of their text only; MPL-2.0 also asks to say where
// the source of the module's own files is, which the links of the page do.
var allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "Unlicense"}

// texts has a sentence of each licence that no other one contains, but for the MPL, which names those of the GNU project. A licence of the GNU
// project is identified, but not allowed.
var texts = []struct{ id, sentence string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files"},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from this software without specific prior written permission"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright notice"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice"},
	{"0BSD", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted. the software is"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"LGPL", "gnu lesser general public license"},
	{"AGPL", "gnu affero general public license"},
	{"GPL", "gnu general public license version"},
}

// identify returns the SPDX identifiers of the licences in a text.
func identify(text string) (ids []string) {
	text = strings.NewReplacer("//", "", "license,", "license").Replace(strings.ToLower(text))
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range texts {
		if !strings.Contains(text, l.sentence) {
			continue
		}
		if l.id == "BSD-2-Clause" && len(ids) > 0 && ids[len(ids)-1] == "BSD-3-Clause" {
			continue // the longer one contains the shorter one
		}
		if strings.HasSuffix(l.id, "GPL") && slices.Contains(ids, "MPL-2.0") {
			continue // the MPL names it
		}
		ids = append(ids, l.id)
	}
	return ids
}

// page returns docs/licences.md.
func page(modules []module) string {
	var b strings.Builder
	b.WriteString(`# Licences

For people who distribute Soundstage or a program that embeds it.

Soundstage is under [Apache-2.0](../LICENSE). Its packages import these Go modules, tests aside. ` + "`make licences`" + ` writes this page from
` + "`go list`" + ` and the licence texts of the modules. A test fails if a module has a licence that Apache-2.0 programs can't use.

| module | version | licence |
|---|---|---|
`)
	for _, m := range modules {
		fmt.Fprintf(&b, "| [%s](https://pkg.go.dev/%[1]s@%[2]s?tab=licenses) | %[2]s | %[3]s |\n", m.Path, m.Version, m.Licence)
	}
	b.WriteString(`
ffmpeg, ffprobe, and the fonts of the machine are not part of Soundstage. It uses those that the machine has, under their own licences.

The font ` + "`formats/internal/notoemoji`" + ` is Noto Emoji, under the [SIL Open Font License 1.1](../formats/internal/notoemoji/OFL.txt). Every
program that writes PDFs contains it, and PDFs contain the emoji that they show, which the licence allows under any terms.

Every program that renders videos contains two fonts of ` + "`render/fonts`" + `, Montserrat ([SIL Open Font
License 1.1](../render/fonts/Montserrat-OFL.txt)) and Anton ([the same](../render/fonts/Anton-OFL.txt)), and
[drawings of emoji](../render/emoji/ATTRIBUTION.md) from Twemoji, under CC-BY 4.0. Videos contain what they show of them; CC-BY asks for a credit
where emoji are more than a small part of a work.

Modules of modernc.org contain translated C code, such as musl (MIT) and SQLite (public domain). Their files ` + "`LICENSE-3RD-PARTY.md`" + ` have its
notices.

The abbreviations in ` + "`engine/transcript/abbreviations.txt`" + ` are partly derived from the Unicode CLDR, under the
[Unicode License V3](../engine/transcript/LICENSE-UNICODE). They are modified, and every program contains them.

The table ` + "`engine/phrases/zh.txt`" + ` is learned with the most frequent words of the dictionary of [jieba](https://github.com/fxsjy/jieba), under the
[MIT licence](../engine/phrases/LICENSE-JIEBA). The sentences that both tables of that package are learned from were written for it.

A built program contains fewer modules. ` + "`make sbom`" + ` lists them in ` + "`bin/soundstage.cdx.json`" + `, a bill of materials in the format CycloneDX 1.5.
`)
	return b.String()
}
