package formats_test

import (
	"fmt"
	"slices"
	"strings"
)

// kidsOf has the kinds of elements that must be in some elements (ISO 32000-1, 14.8.4).
var kidsOf = map[string][]string{
	"/Table": {"/TR"}, "/TR": {"/TH", "/TD"}, "/TOC": {"/TOCI"}, "/TOCI": {"/Reference", "/P"}, "/Reference": {"/Link"},
}

// parentOf has the element that some elements must be in.
var parentOf = map[string]string{"/TR": "/Table", "/TH": "/TR", "/TD": "/TR", "/TOCI": "/TOC"}

// ourTags are the structure types of our documents. All are standard ones.
var ourTags = strings.Fields("/Document /H1 /H2 /H3 /P /Span /Link /Reference /TOC /TOCI /Table /TR /TH /TD")

var uaStructureChecks = []uaCheck{
	{"02-001 to 02-004 structure types are standard, and nothing is mapped", func(f *pdfFile) (all []string) {
		f.walk(func(ref string, e dict) {
			all = append(all, problem(!slices.Contains(ourTags, fmt.Sprint(e["/S"])), "%s is %v", ref, e["/S"])...)
		})
		return append(all, problem(len(all) == 0 && f.get(f.catalog(), "/StructTreeRoot", "/RoleMap") != nil, "mapped")...)
	}, func(f *pdfFile) { f.first("/P")["/S"] = "/Paragraph" }},
	{"09-001 tags are in the order of reading, which is that of drawing", func(f *pdfFile) (all []string) {
		last := [2]int{-1, -1}
		for _, m := range f.marks(f.dict(f.catalog(), "/StructTreeRoot")["/K"], nil) {
			all = append(all, problem(slices.Compare(m[:], last[:]) <= 0, "mark %d on page %d after %v", m[1], m[0]+1, last)...)
			last = m
		}
		return all
	}, func(f *pdfFile) {
		kids := f.dict(f.dict(f.catalog(), "/StructTreeRoot")["/K"])["/K"].([]any)
		kids[0], kids[5] = kids[5], kids[0]
	}},
	{"09-004 tables have rows, and rows have cells", func(f *pdfFile) []string { return f.misplaced("/T", "/TO") },
		func(f *pdfFile) { f.first("/TR")["/S"] = "/P" }},
	{"09-006 tables of contents have items, and items have references", func(f *pdfFile) []string { return f.misplaced("/TO", "") },
		func(f *pdfFile) { f.first("/TOCI")["/S"] = "/Span" }},
	{"14-002, 14-003, 14-006, 14-007 headings begin with H1 and skip no level", func(f *pdfFile) (all []string) {
		level := 0
		f.walk(func(ref string, e dict) {
			tag := e["/S"].(string)
			if !strings.HasPrefix(tag, "/H") {
				return
			}
			all = append(all, problem(len(tag) != 3 || int(tag[2]-'0') > level+1 || tag == "/H1" && level > 0, "%s %s after %d", ref, tag, level)...)
			level = int(tag[len(tag)-1] - '0')
		})
		return append(all, problem(level == 0, "no heading")...)
	}, func(f *pdfFile) { f.first("/H2")["/S"] = "/H3" }},
	{"15-003 header cells have a scope", func(f *pdfFile) (all []string) {
		f.walk(func(ref string, e dict) {
			scope := f.get(e, "/A", "/Scope")
			all = append(all, problem(e["/S"] == "/TH" && scope != "/Column" && scope != "/Row", "%s: %v", ref, scope)...)
		})
		return all
	}, func(f *pdfFile) { delete(f.first("/TH"), "/A") }},
	{"15-005 rows have equally many cells", func(f *pdfFile) (all []string) {
		cells := 0
		f.walk(func(ref string, e dict) {
			if e["/S"] == "/TR" {
				n := len(f.list(e, "/K"))
				all = append(all, problem(cells > 0 && n != cells, "%s has %d", ref, n)...)
				cells = n
			}
		})
		return all
	}, func(f *pdfFile) { row := f.first("/TR"); row["/K"] = row["/K"].([]any)[1:] }},
}

// marks returns the pages and IDs of the marks of an element and what is in it, in order.
func (f *pdfFile) marks(ref any, all [][2]int) [][2]int {
	e := f.dict(ref)
	for _, kid := range f.list(e, "/K") {
		mark, page := kid, e["/Pg"]
		switch k := kid.(type) {
		case string:
			all = f.marks(k, all)
		case dict:
			mark, page = k["/MCID"], k["/Pg"]
		}
		if id, ok := mark.(float64); ok {
			all = append(all, [2]int{slices.Index(f.pages(), fmt.Sprint(page)), int(id)})
		}
	}
	return all
}

// misplaced returns the elements whose tag begins with a prefix, but not with another, and that have wrong kids or a wrong parent.
func (f *pdfFile) misplaced(prefix, except string) (all []string) {
	f.walk(func(ref string, e dict) {
		tag, parent := e["/S"].(string), fmt.Sprint(f.get(e, "/P", "/S"))
		if want := parentOf[tag]; want != "" && strings.HasPrefix(tag, prefix) && (except == "" || !strings.HasPrefix(tag, except)) {
			all = append(all, problem(parent != want, "%s %s in %s", ref, tag, parent)...)
		}
		if want := kidsOf[parent]; want != nil && strings.HasPrefix(parent, prefix) && (except == "" || !strings.HasPrefix(parent, except)) {
			all = append(all, problem(!slices.Contains(want, tag), "%s %s in %s", ref, tag, parent)...)
		}
	})
	return all
}

// links returns the annotations of all pages, with the pages.
func (f *pdfFile) links(visit func(page, ref string, a dict)) {
	for _, page := range f.pages() {
		for _, a := range f.list(page, "/Annots") {
			visit(page, a.(string), f.dict(a))
		}
	}
}

var uaLinkChecks = []uaCheck{
	{"28-002, 28-011 annotations are links in Link elements, which refer to them", func(f *pdfFile) (all []string) {
		f.links(func(page, ref string, a dict) {
			e, found := f.dict(f.parent(a["/StructParent"])), false
			for _, kid := range f.list(e, "/K") {
				k, _ := kid.(dict)
				found = found || k["/Type"] == "/OBJR" && k["/Obj"] == ref && k["/Pg"] == page
			}
			all = append(all, problem(a["/Subtype"] != "/Link" || e["/S"] != "/Link" || !found, "%s", ref)...)
		})
		return all
	}, func(f *pdfFile) { k := f.first("/Link"); k["/K"] = k["/K"].([]any)[:1] }},
	{"28-004, 28-012 links have contents", func(f *pdfFile) (all []string) {
		f.links(func(_, ref string, a dict) {
			contents, _ := a["/Contents"].(string)
			all = append(all, problem(len(contents) <= len("u:"), "%s", ref)...)
		})
		return all
	}, func(f *pdfFile) { delete(f.dict(f.list(f.pages()[0], "/Annots")[0]), "/Contents") }},
	{"28-008, 28-009 the tab order is that of the structure", func(f *pdfFile) (all []string) {
		for _, page := range f.pages() {
			all = append(all, problem(f.get(page, "/Tabs") != "/S", "%s", page)...)
		}
		return all
	}, func(f *pdfFile) { f.dict(f.pages()[0])["/Tabs"] = "/R" }},
}
