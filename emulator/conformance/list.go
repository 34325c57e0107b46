package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// threeRecordingsPage returns the page that lists the three recordings.
func threeRecordingsPage(p *probe) answer {
	threeRecordings(p)
	return once(p, "list of the three recordings", func(p *probe) answer {
		return p.get("/v1/recordings?query=" + p.named("trio")).ok()
	}).reportTo(p)
}

// oneRecordingPage returns a page with one of the three recordings and a next page.
func oneRecordingPage(p *probe) answer {
	threeRecordings(p)
	return once(p, "page of one of three recordings", func(p *probe) answer {
		return p.get("/v1/recordings?limit=1&query=" + p.named("trio")).ok()
	}).reportTo(p)
}

// pages reads a list from a cursor to its end and returns the ids of the recordings.
func (p *probe) pages(path, cursor string) (ids []string) {
	for range 1000 {
		page := path
		if cursor != "" {
			page += "&cursor=" + url.QueryEscape(cursor)
		}
		a := p.get(page).ok()
		ids = append(ids, idsOf(a.list("recordings"))...)
		next, ok := a.at("next_cursor")
		if !ok {
			p.skip("the page has no next_cursor")
		}
		if next == nil {
			return ids
		}
		cursor = fmt.Sprint(next)
	}
	p.fail(answer{}, "a last page, whose next_cursor is null", "at least 1000 pages")
	return nil
}

func idsOf(items []any) (ids []string) {
	for _, item := range items {
		if id, ok := member(item, "id"); ok {
			ids = append(ids, fmt.Sprint(id))
		}
	}
	return ids
}

// allRecordings returns a page of all recordings. limit is a query string, such as "?limit=100".
func allRecordings(limit string) func(*probe) answer {
	return func(p *probe) answer { return p.get("/v1/recordings" + limit).ok() }
}

// pageSize checks that a page has at most want recordings. It is not applicable if the library has no more than that.
func pageSize(limit string, want int) func(*probe) {
	return func(p *probe) {
		a := allRecordings(limit)(p)
		n := len(a.list("recordings"))
		p.want(a, n <= want, fmt.Sprintf("at most %d recordings", want), n)
		if next, _ := a.at("next_cursor"); n < want || next == nil {
			p.skip("the library has no more than %d recordings", want)
		}
	}
}

var listChecks = []check{
	{"recordings.list.newest-first", func(p *probe) {
		a := threeRecordingsPage(p)
		var want []string
		for _, r := range threeRecordings(p) {
			want = append([]string{r.id}, want...)
		}
		got := slices.DeleteFunc(idsOf(a.list("recordings")), func(id string) bool { return !slices.Contains(want, id) })
		p.want(a, slices.Equal(got, want), strings.Join(want, ", "), strings.Join(got, ", "))
	}},
	{"recordings.list.recordings", has(threeRecordingsPage, "recordings", arrayOf(object))},
	{"recordings.list.count", has(threeRecordingsPage, "count", integer)},
	{"recordings.list.next_cursor", all(has(oneRecordingPage, "next_cursor", orNull(text)), has(threeRecordingsPage, "next_cursor", orNull(text)))},
	{"recordings.list.count.of-page", func(p *probe) {
		a := oneRecordingPage(p)
		a.number("count")
		a.is("count", equal(fmt.Sprint(len(a.list("recordings")))))
	}},
	{"recordings.list.space_id", func(p *probe) {
		threeRecordings(p)
		space := p.expand("{space}")
		a := p.get("/v1/recordings?limit=100&space_id=" + space).ok()
		for _, r := range a.list("recordings") {
			id, ok := member(r, "space.id")
			p.want(a, !ok || id == space, "only recordings of the space "+space, r)
		}
		p.want(a, len(a.list("recordings")) > 0, "recordings of the space", "none")
	}},
	{"recordings.list.space_id.unknown", answers("GET", "/v1/recordings?space_id={missing}", "", 404)},
	{"recordings.list.query", func(p *probe) {
		a := threeRecordingsPage(p)
		titles := p.createdByRun(a.list("recordings"), "title")
		p.want(a, len(titles) == len(a.list("recordings")) && len(titles) == 3, "the 3 recordings with that title", len(a.list("recordings")))
	}},
	{"recordings.list.query.folds-case", func(p *probe) {
		threeRecordings(p)
		a := p.get("/v1/recordings?query=" + strings.ToUpper(p.named("trio"))).ok()
		p.want(a, len(a.list("recordings")) == 3, "3 recordings", len(a.list("recordings")))
	}},
	{"recordings.list.limit", func(p *probe) {
		a := oneRecordingPage(p)
		p.want(a, len(a.list("recordings")) <= 1, "at most 1 recording", len(a.list("recordings")))
	}},
	{"recordings.list.limit.default-25", pageSize("", 25)},
	{"recordings.list.limit.max-100", pageSize("?limit=100", 100)},
	{"recordings.list.limit.clamps", pageSize("?limit=1000", 100)},
	{"recordings.list.limit.zero", answers("GET", "/v1/recordings?limit=0", "", 400)},
	{"recordings.list.limit.no-number", answers("GET", "/v1/recordings?limit=ten", "", 400)},
	{"recordings.list.cursor.opens-next-page", func(p *probe) {
		a := oneRecordingPage(p)
		next := p.get("/v1/recordings?limit=1&query=" + p.named("trio") + "&cursor=" + url.QueryEscape(a.text("next_cursor"))).accepted()
		p.want(next, !slices.Equal(idsOf(next.list("recordings")), idsOf(a.list("recordings"))), "another recording", "the same recording")
	}},
	{"recordings.list.cursor.keyset", func(p *probe) {
		var ids []string
		for i := range 3 {
			ids = append(ids, p.record(fmt.Sprintf("%s-%d.wav", p.named("keyset"), i), "audio/wav", wav(0.5, 300*time.Millisecond), "", "").id)
		}
		path := "/v1/recordings?limit=1&query=" + p.named("keyset")
		a := p.get(path).ok()
		p.record(p.named("keyset")+"-late.wav", "audio/wav", wav(0.5, 300*time.Millisecond), "", "")
		rest := p.pages(path, a.text("next_cursor"))
		want := []string{ids[1], ids[0]}
		slices.Sort(rest)
		slices.Sort(want)
		p.want(a, slices.Equal(rest, want), "the recordings after the cursor, without later ones: "+strings.Join(want, ", "), strings.Join(rest, ", "))
	}},
	{"recordings.list.cursor.unrecognizable", answers("GET", "/v1/recordings?cursor=unrecognizable", "", 400)},
	{"recordings.list.cursor.until-null", func(p *probe) {
		threeRecordings(p)
		ids := p.pages("/v1/recordings?limit=1&query="+p.named("trio"), "")
		for _, r := range threeRecordings(p) {
			n := 0
			for _, id := range ids {
				if id == r.id {
					n++
				}
			}
			p.want(answer{}, n == 1, "every recording once", fmt.Sprintf("%s %d times", r.id, n))
		}
	}},
}
