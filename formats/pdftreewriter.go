package formats

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
)

// pdfTreeWriter adds a structure tree to a file, and the annotations of its links.
type pdfTreeWriter struct {
	tree        *pdfTree
	file        *pdffile.File
	pages       []int           // objects
	numbers     []int           // objects of the elements; 0 for those that aren't in the tree
	annotations [][]byte        // references for each page
	links       strings.Builder // for each annotation, its key and element
	key         int             // of the next annotation in the parent tree; those below are pages
}

// write adds the tree, and returns its root.
func (t *pdfTree) write(f *pdffile.File, pages []int) int {
	w := &pdfTreeWriter{tree: t, file: f, pages: pages, numbers: make([]int, len(t.elements)), annotations: make([][]byte, len(pages)), key: len(pages)}
	root := f.Reserve()
	for i, e := range t.elements {
		if e.attached {
			w.numbers[i] = f.Reserve()
		}
	}
	for i, e := range t.elements {
		if e.attached {
			f.Set(w.numbers[i], w.element(i, e, root))
		}
	}
	f.Set(root, fmt.Sprintf("<</Type /StructTreeRoot /K %s /ParentTree %s /ParentTreeNextKey %d>>", pdffile.Ref(w.numbers[documentElement]), pdffile.Ref(w.parentTree()), w.key))
	for i, n := range pages {
		entries := fmt.Sprintf(" /StructParents %d /Tabs /S", i)
		if len(w.annotations[i]) > 0 {
			entries += " /Annots [" + string(w.annotations[i]) + "]"
		}
		f.Set(n, strings.TrimSuffix(string(f.Object(n)), ">>")+entries+">>")
	}
	return root
}

// element returns the dictionary of an element.
func (w *pdfTreeWriter) element(i int, e pdfElement, root int) string {
	kids := make([]byte, 0, 64)
	page := e.page()
	for _, k := range e.kids {
		switch {
		case k.element != noElement:
			kids = appendRef(kids, w.numbers[k.element])
		case k.mark.page == page:
			kids = append(strconv.AppendInt(kids, int64(k.mark.id), 10), ' ')
		default:
			kids = fmt.Appendf(kids, "<</Type /MCR /Pg %s /MCID %d>> ", pdffile.Ref(w.pages[k.mark.page]), k.mark.id)
		}
	}
	if e.link != nil {
		for _, a := range e.link.areas {
			n := w.file.Add(e.link.annotation(a, w.pages, w.key))
			kids = fmt.Appendf(kids, "<</Type /OBJR /Pg %s /Obj %s>> ", pdffile.Ref(w.pages[a.page]), pdffile.Ref(n))
			w.annotations[a.page] = appendRef(w.annotations[a.page], n)
			fmt.Fprintf(&w.links, "%d %s ", w.key, pdffile.Ref(w.numbers[i]))
			w.key++
		}
	}
	parent, on := root, ""
	if e.parent != noElement {
		parent = w.numbers[e.parent]
	}
	if page >= 0 {
		on = " /Pg " + pdffile.Ref(w.pages[page])
	}
	return "<</S /" + e.tag + " /P " + pdffile.Ref(parent) + on + e.attributes + " /K [" + string(kids) + "]>>"
}

// parentTree adds the map from marks and annotations to elements, and returns it.
func (w *pdfTreeWriter) parentTree() int {
	var b []byte
	for i, elements := range w.tree.parents(len(w.pages)) {
		b = append(strconv.AppendInt(b, int64(i), 10), " ["...)
		for _, n := range elements {
			b = appendRef(b, w.numbers[n])
		}
		b = append(b, "] "...)
	}
	return w.file.Add("<</Nums [" + string(b) + w.links.String() + "]>>")
}

func appendRef(b []byte, n int) []byte { return append(strconv.AppendInt(b, int64(n), 10), " 0 R "...) }
