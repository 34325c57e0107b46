package conformance

import "fmt"

func spaceList(p *probe) answer {
	return once(p, "list of spaces", func(p *probe) answer { return p.get("/v1/spaces").ok() }).reportTo(p)
}

// everySpace checks a member of every listed space.
func everySpace(name string, s shape) func(*probe) {
	return func(p *probe) {
		a := spaceList(p)
		for i := range a.list("spaces") {
			a.is(fmt.Sprintf("spaces.%d.%s", i, name), s)
		}
	}
}

var spaceChecks = []check{
	{"spaces.list.every-space", func(p *probe) {
		a := spaceList(p)
		want := p.expand("{space}")
		for _, s := range a.list("spaces") {
			if id, _ := member(s, "id"); id == want {
				return
			}
		}
		p.fail(a, "the key's default space in the list", "not in the list")
	}},
	{"spaces.list.spaces", has(spaceList, "spaces", arrayOf(object))},
	{"spaces.list.count", func(p *probe) {
		a := spaceList(p)
		a.is("count", equal(fmt.Sprint(len(a.list("spaces")))))
	}},
	{"spaces.default-on-writes", func(p *probe) {
		p.post("/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000}`).accepted().
			is("space_id", equal(promptList(p).text("space.id"))) // which endpoints that read fall back to, too
	}},
	{"space.field.id", everySpace("id", text)},
	{"space.field.name", everySpace("name", text)},
	{"space.field.language", everySpace("language", language)},
}
