package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// observedContent are the rules about prompts, outputs, chats, suggestions, renders, and search.
var observedContent = []rule{
	on("prompts.create.status-201", "createPrompt", both(answersStatus(http.StatusCreated), answersMembers(object, "prompt"))),
	on("prompts.create.missing-400", "createPrompt", answersWhen(lacks("name", "prompt"), http.StatusBadRequest)),
	on("prompt.type.dynamic", "createPrompt", answersMembers(equal("dynamic"), "prompt.type")),
	on("prompts.list.unknown-space", "listPrompts", unknownSpace),
	on("prompts.builtin-types", "listPrompts", func(o *observed) observation {
		all := o.list("prompts")
		if !o.ok() || len(all) == 0 {
			return silent
		}
		known := oneOf("dynamic", "episode_overview", "quotes", "key_topics", "chapters", "social_posts")
		for _, p := range all {
			if kind, _ := member(p, "type"); !known.fits(kind) {
				return disagrees("type: "+known.name, kind)
			}
		}
		return agrees
	}),
	on("generate.status-202", "generateOutput", answersStatus(http.StatusAccepted)),
	on("states.output.entry", "generateOutput", answersMembers(equal("queued"), "status")),
	on("generate.exactly-one-400", "generateOutput", answersWhen(func(o *observed) bool {
		return o.sent != nil && (o.sent["prompt"] == nil) == (o.sent["prompt_id"] == nil) && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("generate.not-ready-400", "generateOutput", func(o *observed) observation {
		return onlyIfLazy(o.history.unfinished(o.Resource) && o.refused(), o, answersWhen(func(*observed) bool { return true }, http.StatusBadRequest))
	}),
	on("generate.prompt_id.null-for-one-off", "generateOutput", func(o *observed) observation {
		v, ok := o.at("prompt_id")
		return onlyIf(o.ok() && o.asked("prompt") != "", decide(ok && v == nil, "prompt_id: null", v))
	}),
	on("generate.builtin-400", "generateOutput", answersWhen(func(o *observed) bool {
		kind, known := o.history.prompts[o.asked("prompt_id")]
		return known && kind != "dynamic"
	}, http.StatusBadRequest)),
	on("generate.unknown-recording", "generateOutput", notFound),
	on("outputs.get.unknown", "getOutput", unknownResource),
	on("outputs.get.shape", "getOutput", both(answersMembers(text, "recording_id"), answersMembers(orNull(text), "name", "error"), answersMembers(stamp, "created_at"))),
	on("recordings.outputs.unknown", "listRecordingOutputs", unknownResource),
	on("recordings.outputs.shape", "listRecordingOutputs", both(answersMembers(text, "recording_id"), answersMembers(array, "outputs"), countsItems("outputs"))),
	on("recordings.outputs.type", "listRecordingOutputs", func(o *observed) observation {
		want := o.query.Get("type")
		if !o.ok() || want == "" {
			return silent
		}
		for _, output := range o.list("outputs") {
			if kind, _ := member(output, "output_type"); kind != want {
				return disagrees("only outputs of the type "+want, kind)
			}
		}
		return agrees
	}),
	on("chat.create.status-202", "createChat", answersStatus(http.StatusAccepted)),
	on("states.chat.entry", "createChat", answersMembers(equal("queued"), "status")),
	on("chat.create.capped-sentence", "createChat", func(o *observed) observation {
		ids, _ := o.sent["recording_ids"].([]any)
		if len(ids) <= 10 || !o.judged() {
			return silent
		}
		const sentence = "recording_ids is capped at 10 recordings"
		return decide(o.Status == http.StatusBadRequest && strings.Contains(o.text("error"), sentence), "status 400 with "+sentence, fmt.Sprintf("status %d: %s", o.Status, o.text("error")))
	}),
	on("chat.create.missing-400", "createChat", answersWhen(func(o *observed) bool {
		ids, isList := o.sent["recording_ids"].([]any)
		return lacks("message", "recording_ids")(o) || isList && len(ids) == 0
	}, http.StatusBadRequest)),
	on("chat.create.unknown-recording", "createChat", notFound),
	on("chat.create.not-completed", "createChat", func(o *observed) observation {
		ids, _ := o.sent["recording_ids"].([]any)
		waits := slices.ContainsFunc(ids, func(id any) bool { return o.history.unfinished(fmt.Sprint(id)) })
		return onlyIfLazy(waits && o.refused() && o.Status != http.StatusNotFound, o, answersWhen(func(*observed) bool { return true }, http.StatusBadRequest))
	}),
	on("chat.get.unknown", "getChat", unknownResource),
	on("suggestions.list.shape", "listClipSuggestions", both(answersMembers(text, "recording_id"), answersMembers(array, "suggestions"), countsItems("suggestions"))),
	on("suggestions.fields", "listClipSuggestions", items("suggestions", map[string]shape{
		"id": filled, "title": filled, "excerpt": text, "kind": oneOf("clip", "carousel"), "score": within(0, 100), "start_ms": orNull(integer), "end_ms": orNull(integer),
	})),
	on("suggestions.best-first", "listClipSuggestions", func(o *observed) observation {
		all, last := o.list("suggestions"), 101.0
		for _, s := range all {
			v, _ := member(s, "score")
			n, _ := v.(json.Number)
			score, _ := n.Float64()
			if score > last {
				return disagrees("scores that never rise", v)
			}
			last = score
		}
		return onlyIf(o.ok() && len(all) > 1, agrees)
	}),
	on("suggestions.carousel.null-times", "listClipSuggestions", func(o *observed) observation {
		v := silent
		for _, s := range o.list("suggestions") {
			if is(s, "kind", "carousel") {
				from, _ := member(s, "start_ms")
				to, _ := member(s, "end_ms")
				if v = decide(from == nil && to == nil, "null times", s); v.knowledge == Contradicted {
					return v
				}
			}
		}
		return v
	}),
	on("suggestions.not-completed", "listClipSuggestions", func(o *observed) observation {
		return onlyIfLazy(o.history.unfinished(o.Resource) && o.refused(), o, answersWhen(func(*observed) bool { return true }, http.StatusBadRequest))
	}),
	on("suggestions.unknown", "listClipSuggestions", notFound),
	on("renders.create.status-202", "createRender", answersStatus(http.StatusAccepted)),
	on("states.render.entry", "createRender", answersMembers(equal("rendering"), "render.status")),
	on("renders.create.too-long-400", "createRender", answersWhen(func(o *observed) bool {
		from, to, ok := windowOf(o)
		return ok && to-from > 180_000 && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("renders.create.backwards", "createRender", answersWhen(func(o *observed) bool {
		from, to, ok := windowOf(o)
		return ok && to < from && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("renders.create.no-speech-400", "createRender", func(o *observed) observation {
		return onlyIf(o.refused() && strings.Contains(o.text("error"), "spoken words"), decide(o.Status == http.StatusBadRequest, "status 400", fmt.Sprintf("status %d", o.Status)))
	}),
	on("renders.create.unknown-ratio", "createRender", answersWhen(func(o *observed) bool {
		ratio := o.asked("aspect_ratio")
		return ratio != "" && !slices.Contains([]string{"9:16", "1:1", "16:9", "4:5", "original"}, ratio) && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("renders.create.unknown-recording", "createRender", notFound),
	{id: "renders.snap-limit", ops: []string{"createRender", "getRender"}, judge: func(o *observed) observation {
		from, _ := o.at("render.start_ms")
		to, _ := o.at("render.end_ms")
		a, _ := from.(json.Number)
		b, _ := to.(json.Number)
		start, err := a.Float64()
		end, endErr := b.Float64()
		return onlyIf(o.ok() && err == nil && endErr == nil, decide(end-start <= 180_000, "a window of at most 180000 ms", fmt.Sprint(end-start)))
	}},
	on("renders.audiogram-style", "createRender", func(o *observed) observation {
		kind := o.history.media[o.asked("recording_id")]
		return onlyIf(o.ok() && strings.HasPrefix(kind, "audio/"), decide(o.text("render.style") == "audiogram", "style: audiogram", o.text("render.style")))
	}),
	on("renders.get.unknown", "getRender", unknownResource),
	on("search.query-required", "search", answersWhen(func(o *observed) bool { return o.query.Get("query") == "" }, http.StatusBadRequest)),
	on("search.category.unknown", "search", answersWhen(func(o *observed) bool {
		return o.query.Has("category") && searchKinds[o.query.Get("category")] == ""
	}, http.StatusBadRequest)),
	on("search.category", "search", func(o *observed) observation {
		kind := searchKinds[o.query.Get("category")]
		if !o.ok() || kind == "" || kind == "any" {
			return silent
		}
		v := silent
		for _, r := range o.list("results") {
			if v = decide(is(r, "kind", kind), "only results of the kind "+kind, r); v.knowledge == Contradicted {
				return v
			}
		}
		return v
	}),
	on("search.limit.zero", "search", answersWhen(limitBelowOne, http.StatusBadRequest)),
	on("search.limit", "search", func(o *observed) observation {
		limit, err := strconv.Atoi(o.query.Get("limit"))
		if !o.ok() || err != nil || limit < 1 {
			return silent
		}
		counts := map[string]int{}
		for _, r := range o.list("results") {
			kind, _ := member(r, "kind")
			if counts[fmt.Sprint(kind)]++; counts[fmt.Sprint(kind)] > limit {
				return disagrees(fmt.Sprintf("at most %d results of each kind", limit), counts)
			}
		}
		return agrees
	}),
	on("search.shape", "search", both(answersMembers(text, "query"), answersMembers(array, "results"), countsItems("results"))),
	on("search.result.snippet", "search", hits("transcript", "snippet", text)),
	on("search.result.start_ms", "search", hits("transcript", "start_ms", integer)),
	on("search.result.recording_title", "search", hits("", "recording_title", text)),
	on("search.result.output_type", "search", hits("content", "output_type", filled)),
}

// searchKinds maps the categories of a search to the kind of their results.
var searchKinds = map[string]string{"all": "any", "transcripts": "transcript", "recordings": "recording", "content": "content"}

func windowOf(o *observed) (from, to float64, ok bool) {
	from, ok = o.askedNumber("start_ms")
	to, okTo := o.askedNumber("end_ms")
	return from, to, ok && okTo
}

// items agrees if the members of each item of a list have their shapes.
func items(list string, shapes map[string]shape) func(*observed) observation {
	return func(o *observed) observation {
		all := o.list(list)
		if !o.ok() || len(all) == 0 {
			return silent
		}
		for _, item := range all {
			for name, s := range shapes {
				if v, found := member(item, name); !found || !s.fits(v) {
					return disagrees(name+": "+s.name, v)
				}
			}
		}
		return agrees
	}
}

// hits agrees if each result of a kind has a member of a shape. "" is any kind.
func hits(kind, name string, s shape) func(*observed) observation {
	return func(o *observed) observation {
		if !o.ok() {
			return silent
		}
		v := silent
		for _, r := range o.list("results") {
			if kind != "" && !is(r, "kind", kind) {
				continue
			}
			got, found := member(r, name)
			if v = decide(found && s.fits(got), name+": "+s.name, got); v.knowledge == Contradicted {
				return v
			}
		}
		return v
	}
}
