package formats_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pdfFile is the objects of a PDF, as qpdf reads them: dictionaries are maps, names begin with "/", references end with " R",
// and text strings begin with "u:".
type pdfFile struct {
	version string
	objects map[string]map[string]any // "1 0 R" or "trailer"; each has a "value" or a "stream"
}

type dict = map[string]any

// readPDF reads a file.
func readPDF(t *testing.T, path string) *pdfFile {
	t.Helper()
	out := runTool(t, "qpdf", "--json=2", "--json-stream-data=inline", "--decode-level=generalized", path, "-")
	var all struct {
		Qpdf []json.RawMessage `json:"qpdf"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	var head struct {
		Version string `json:"pdfversion"`
	}
	require.NoError(t, json.Unmarshal(all.Qpdf[0], &head))
	f := &pdfFile{version: head.Version}
	require.NoError(t, json.Unmarshal(all.Qpdf[1], &f.objects))
	for name, object := range f.objects {
		f.objects[strings.TrimPrefix(name, "obj:")] = object
	}
	return f
}

// get follows keys and references from a value. A missing one is nil.
func (f *pdfFile) get(from any, keys ...string) any {
	for i := 0; ; i++ {
		if ref, ok := from.(string); ok && strings.HasSuffix(ref, " R") {
			if object, ok := f.objects[ref]; !ok {
				from = nil
			} else if stream, ok := object["stream"].(dict); ok {
				from = stream["dict"]
			} else {
				from = object["value"]
			}
		}
		if i == len(keys) {
			return from
		}
		d, _ := from.(dict)
		from = d[keys[i]]
	}
}

func (f *pdfFile) dict(from any, keys ...string) dict { d, _ := f.get(from, keys...).(dict); return d }

func (f *pdfFile) list(from any, keys ...string) []any {
	l, _ := f.get(from, keys...).([]any)
	return l
}

func (f *pdfFile) catalog() dict { return f.dict(f.objects["trailer"]["value"], "/Root") }

// data returns the decoded bytes of a stream.
func (f *pdfFile) data(ref any) []byte {
	name, _ := ref.(string)
	stream, _ := f.objects[name]["stream"].(dict)
	encoded, _ := stream["data"].(string)
	b, _ := base64.StdEncoding.DecodeString(encoded)
	return b
}

func (f *pdfFile) setData(ref any, data string) {
	f.objects[ref.(string)]["stream"].(dict)["data"] = base64.StdEncoding.EncodeToString([]byte(data))
}

// pages returns the references of the pages.
func (f *pdfFile) pages() (refs []string) {
	for _, p := range f.list(f.catalog(), "/Pages", "/Kids") {
		refs = append(refs, p.(string))
	}
	return refs
}

// walk calls visit for each structure element, in reading order.
func (f *pdfFile) walk(visit func(ref string, e dict)) {
	var down func(kid any)
	down = func(kid any) {
		switch k := kid.(type) {
		case []any:
			for _, each := range k {
				down(each)
			}
		case string:
			e := f.dict(k)
			if e["/S"] != nil {
				visit(k, e)
				down(e["/K"])
			}
		}
	}
	down(f.dict(f.catalog(), "/StructTreeRoot")["/K"])
}

// first returns the first structure element with a tag.
func (f *pdfFile) first(tag string) (found dict) {
	f.walk(func(_ string, e dict) {
		if found == nil && e["/S"] == tag {
			found = e
		}
	})
	return found
}

// parent returns what a parent tree has for a key.
func (f *pdfFile) parent(key any) any {
	nums := f.list(f.catalog(), "/StructTreeRoot", "/ParentTree", "/Nums")
	for i := 0; i+1 < len(nums); i += 2 {
		if nums[i] == key {
			return nums[i+1]
		}
	}
	return nil
}
