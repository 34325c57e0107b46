package formats

// pdfTree is the structure of a document in reading order (ISO 32000-1, 14.7). Element 0 is the document.
type pdfTree struct{ elements []pdfElement }

// pdfElement is a structure element, such as a heading. It is in the tree once something of it is drawn.
type pdfElement struct {
	tag        string // a standard structure type
	attributes string // for its dictionary
	parent     int
	attached   bool
	kids       []pdfKid
	link       *pdfLink
}

// pdfKid is an element or, if element is noElement, marked content.
type pdfKid struct {
	element int
	mark    pdfMark
}

// pdfMark is marked content: its ID on a page.
type pdfMark struct{ page, id int }

const documentElement = 0

// Values for lines that belong to no element.
const (
	noElement  = -1
	artifact   = -2 // page numbers and the like
	repetition = -3 // headers of tables on further pages
)

func newPDFTree() pdfTree {
	return pdfTree{elements: []pdfElement{{tag: "Document", parent: noElement, attached: true}}}
}

// add adds an element and returns its number.
func (t *pdfTree) add(tag string, parent int) int {
	t.elements = append(t.elements, pdfElement{tag: tag, parent: parent})
	return len(t.elements) - 1
}

// addLink adds a link.
func (t *pdfTree) addLink(parent int, k pdfLink) int {
	n := t.add("Link", parent)
	t.elements[n].link = &k
	return n
}

// attach puts an element into the tree, after the kids that its parent has.
func (t *pdfTree) attach(n int) {
	e := &t.elements[n]
	if e.attached {
		return
	}
	e.attached = true
	t.attach(e.parent)
	t.elements[e.parent].kids = append(t.elements[e.parent].kids, pdfKid{element: n})
}

// mark records that marked content belongs to an element.
func (t *pdfTree) mark(n int, m pdfMark) {
	t.attach(n)
	t.elements[n].kids = append(t.elements[n].kids, pdfKid{noElement, m})
}

// parents returns, for each page, the element of each mark.
func (t *pdfTree) parents(pages int) [][]int {
	all := make([][]int, pages)
	for i, e := range t.elements {
		for _, k := range e.kids {
			if k.element != noElement {
				continue
			}
			on := &all[k.mark.page]
			for len(*on) <= k.mark.id {
				*on = append(*on, 0)
			}
			(*on)[k.mark.id] = i
		}
	}
	return all
}

// page returns the page of the first mark, or -1.
func (e pdfElement) page() int {
	for _, k := range e.kids {
		if k.element == noElement {
			return k.mark.page
		}
	}
	return -1
}
