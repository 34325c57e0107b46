package formats

// tableRow is a row of the table of speakers: the name, and two narrow cells.
type tableRow struct {
	cells  [3]string
	header bool
}

func (r tableRow) style() textStyle {
	if r.header {
		return labelStyle
	}
	return bodyStyle
}

// Attributes of header cells (ISO 32000-1, 14.8.5.7).
const (
	columnScope = " /A <</O /Table /Scope /Column>>"
	rowScope    = " /A <</O /Table /Scope /Row>>"
)

// speakers adds the section with the table of speakers.
func (l *pdfLayout) speakers(s document) {
	times := s.talkTimes()
	if len(times) == 0 {
		return
	}
	l.heading("H2", s.word.speakers, sectionStyle)
	head := tableRow{[3]string{s.word.speaker, s.word.speaking, "%"}, true}
	columns := l.columns(head)
	table := noElement
	for i, t := range times {
		row := tableRow{cells: [3]string{t.name, t.clock(), percent(t.share, s.Language)}}
		need := l.rowHeight(row, columns)
		if i == 0 {
			need += cellPadding + l.rowHeight(head, columns)
		}
		pages := len(l.pages)
		l.begin(need)
		if i == 0 {
			table = l.tree.add("Table", documentElement)
			l.y -= cellPadding
			l.row(head, columns, table)
		} else if len(l.pages) > pages {
			l.row(head, columns, noElement)
		}
		l.row(row, columns, table)
	}
	l.y -= 6
}

// columns returns the columns of a table. The narrow ones fit their titles and times.
func (l *pdfLayout) columns(head tableRow) [3]column {
	var all [3]column
	right := l.full().right
	for i := 2; i > 0; i-- {
		width := 50.0
		for _, line := range l.lines(head.cells[i], labelStyle, l.full()) {
			width = max(width, line.Width*labelStyle.size/1000)
		}
		all[i] = column{right - width, right}
		right -= width + columnGap
	}
	all[0] = column{margin, right}
	return all
}

const cellPadding = 4.0

func (l *pdfLayout) rowHeight(r tableRow, columns [3]column) float64 {
	return l.height(len(l.lines(r.cells[0]+" ", r.style(), columns[0])), r.style()) + cellPadding
}

// row adds a row with a rule below it. A header that is repeated on another page has no table.
func (l *pdfLayout) row(r tableRow, columns [3]column, table int) {
	cells := [3]int{repetition, repetition, repetition}
	if table != noElement {
		row := l.tree.add("TR", table)
		for i := range cells {
			tag, scope := "TD", ""
			switch {
			case r.header:
				tag, scope = "TH", columnScope
			case i == 0:
				tag, scope = "TH", rowScope
			}
			cells[i] = l.tree.add(tag, row)
			l.tree.elements[cells[i]].attributes = scope
		}
	}
	k := r.style()
	top, pages := l.y-l.height(1, k), len(l.pages)
	l.put(cells[0], l.lines(r.cells[0]+" ", k, columns[0]), k, columns[0])
	bottom := l.y
	if len(l.pages) == pages {
		l.y = top // a name that is longer than a page has its time at the end
	}
	for i := 1; i < 3; i++ {
		line := l.lines(r.cells[i]+" ", k, l.full())[0]
		l.glyphs(line.Glyphs, k, columns[i].right-line.Width*k.size/1000, cells[i])
	}
	l.y = bottom
	l.y -= cellPadding
	l.page().rules = append(l.page().rules, pdfRule{margin, l.full().right, l.y})
}
