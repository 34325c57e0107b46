package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// observedRecordings are the rules about recordings, their lists, and their transcripts.
var observedRecordings = []rule{
	on("recordings.create.status-201", "createRecording", answersStatus(http.StatusCreated)),
	on("recordings.create.body", "createRecording", answersMembers(filled, "recording.id")),
	on("recordings.create.queued", "createRecording", answersMembers(oneOf("queued", "processing"), "recording.transcript_status")),
	on("recordings.create.missing-400", "createRecording", answersWhen(lacks("object_id"), http.StatusBadRequest)),
	on("recordings.create.unknown-object", "createRecording", func(o *observed) observation {
		id := o.asked("object_id")
		if _, known := o.history.uploads[id]; id == "" || known || o.Status != http.StatusNotFound && o.Status != http.StatusBadRequest {
			return silent
		}
		return decide(o.Status == http.StatusNotFound, "status 404", fmt.Sprintf("status %d", o.Status))
	}),
	on("recordings.create.twice", "createRecording", answersWhen(func(o *observed) bool {
		since, used := o.history.used[o.asked("object_id")]
		return used && since.Before(o.Time)
	}, http.StatusConflict)),
	on("recordings.create.never-arrived", "createRecording", func(o *observed) observation {
		if o.Status == http.StatusUnprocessableEntity {
			return agrees
		}
		return silent
	}),
	on("recordings.create.space-of-upload", "createRecording", func(o *observed) observation {
		u, known := o.history.uploads[o.asked("object_id")]
		if !o.ok() || !known || o.sent["space_id"] != nil {
			return silent
		}
		return decide(o.text("recording.space.id") == u.space, u.space, o.text("recording.space.id"))
	}),
	on("recording.title.default-filename", "createRecording", func(o *observed) observation {
		u, known := o.history.uploads[o.asked("object_id")]
		if !o.ok() || !known || o.sent["title"] != nil || u.title != "" || u.filename == "" {
			return silent
		}
		return decide(o.text("recording.title") == u.filename, u.filename, o.text("recording.title"))
	}),
	{id: "recording.has_transcript.completed", ops: anyRecording, judge: eachRecording(func(_ *observed, r map[string]any) (bool, string) {
		return r["has_transcript"] == (r["transcript_status"] == "completed"), "has_transcript true only when transcript_status is completed"
	})},
	{id: "recording.published_at.creation", ops: anyRecording, judge: eachRecording(func(_ *observed, r map[string]any) (bool, string) {
		return r["rss"] != nil || r["published_at"] == r["created_at"], "published_at as created_at"
	})},
	{id: "recording.number.per-space", ops: anyRecording, judge: eachRecording(func(o *observed, r map[string]any) (bool, string) {
		id, known := o.history.numbers[placeOf(r)]
		return !known || id == r["id"], "a number that no other recording of the space has"
	})},
	on("recordings.get.unknown", "getRecording", unknownResource),
	on("recordings.get.same-shape", "getRecording", func(o *observed) observation {
		one, _ := o.at("recording")
		if !o.ok() || o.history.listed == nil || one == nil {
			return silent
		}
		return decide(slices.Equal(keys(one), o.history.listed), strings.Join(o.history.listed, ", "), strings.Join(keys(one), ", "))
	}),
	on("recordings.list.newest-first", "listRecordings", func(o *observed) observation {
		items := o.list("recordings")
		for i := 1; i < len(items); i++ {
			before, _ := member(items[i-1], "created_at")
			after, _ := member(items[i], "created_at")
			if stamp.fits(before) && stamp.fits(after) && seconds.fits(before) == seconds.fits(after) && fmt.Sprint(before) < fmt.Sprint(after) {
				return disagrees("created_at never later than that of the item before", after)
			}
		}
		return onlyIf(o.ok() && len(items) > 1, agrees)
	}),
	on("recordings.list.space_id", "listRecordings", eachListed(func(o *observed, r map[string]any) (bool, string) {
		id, _ := member(r, "space.id")
		return id == o.query.Get("space_id"), "only recordings of the space"
	}, "space_id")),
	on("recordings.list.query", "listRecordings", eachListed(func(o *observed, r map[string]any) (bool, string) {
		return contains(r["title"], o.query.Get("query")), "only titles with the query"
	}, "query")),
	on("recordings.list.query.folds-case", "listRecordings", func(o *observed) observation {
		for _, r := range recordingsIn(o.value) {
			if q := o.query.Get("query"); q != "" && contains(r["title"], q) && !strings.Contains(fmt.Sprint(r["title"]), q) {
				return agrees
			}
		}
		return silent
	}),
	on("recordings.list.limit", "listRecordings", func(o *observed) observation {
		limit, err := strconv.Atoi(o.query.Get("limit"))
		if !o.ok() || err != nil || limit < 1 {
			return silent
		}
		n := len(o.list("recordings"))
		return decide(n <= limit, fmt.Sprintf("at most %d recordings", limit), n)
	}),
	on("recordings.list.limit.default-25", "listRecordings", func(o *observed) observation {
		n := len(o.list("recordings"))
		if !o.ok() || o.query.Has("limit") || n < 25 {
			return silent
		}
		return decide(n == 25, "25 recordings", n)
	}),
	on("recordings.list.limit.clamps", "listRecordings", func(o *observed) observation {
		limit, err := strconv.Atoi(o.query.Get("limit"))
		if !o.judged() || err != nil || limit <= 100 {
			return silent
		}
		return decide(o.ok() && len(o.list("recordings")) <= 100, "at most 100 recordings", fmt.Sprintf("status %d, %d recordings", o.Status, len(o.list("recordings"))))
	}),
	on("recordings.list.limit.zero", "listRecordings", answersWhen(limitBelowOne, http.StatusBadRequest)),
	on("recordings.list.limit.no-number", "listRecordings", answersWhen(limitIsNoNumber, http.StatusBadRequest)),
	on("recordings.list.count.of-page", "listRecordings", countsItems("recordings")),
	on("recordings.list.next_cursor", "listRecordings", answersMembers(orNull(text), "next_cursor")),
	on("recordings.list.space_id.unknown", "listRecordings", unknownSpace),
	on("recordings.list.cursor.unrecognizable", "listRecordings", func(o *observed) observation {
		cursor := o.query.Get("cursor")
		if _, given := o.history.pages[cursor]; cursor == "" || given || !o.refused() {
			return silent
		}
		return decide(o.Status == http.StatusBadRequest, "status 400", fmt.Sprintf("status %d", o.Status))
	}),
	on("recordings.list.cursor.opens-next-page", "listRecordings", func(o *observed) observation {
		before, given := o.history.pages[o.query.Get("cursor")]
		if !given || before.filter != o.filter() || !o.judged() {
			return silent
		}
		if !o.ok() {
			return disagrees("the next page", fmt.Sprintf("status %d", o.Status))
		}
		for _, id := range idsOf(o.list("recordings")) {
			if slices.Contains(before.ids, id) {
				return disagrees("recordings that no earlier page has", id)
			}
		}
		return agrees
	}),
	on("recordings.transcript.unknown", "getRecordingTranscript", notFound),
	on("recordings.transcript.needs-completed", "getRecordingTranscript", func(o *observed) observation {
		if !o.history.unfinished(o.Resource) || !o.refused() {
			return silent
		}
		return decide(o.Status == http.StatusBadRequest, "status 400", fmt.Sprintf("status %d", o.Status))
	}),
	on("recordings.transcript.names-status", "getRecordingTranscript", func(o *observed) observation {
		if !o.history.unfinished(o.Resource) || o.Status != http.StatusBadRequest || transcriptParameterIsWrong(o) {
			return silent
		}
		named := slices.ContainsFunc([]string{"queued", "processing", "error"}, func(s string) bool { return strings.Contains(o.text("error"), s) })
		return decide(named, "an error with the status of the transcript", o.text("error"))
	}),
	on("recordings.transcript.format.unknown", "getRecordingTranscript", answersWhen(func(o *observed) bool {
		_, known := transcriptTypes[o.query.Get("format")]
		return o.query.Has("format") && !known && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("recordings.transcript.language.unknown", "getRecordingTranscript", answersWhen(func(o *observed) bool {
		return o.query.Has("language") && !language.fits(o.query.Get("language")) && o.Status != http.StatusNotFound
	}, http.StatusBadRequest)),
	on("recordings.transcript.json-shape", "getRecordingTranscript", onlyJSON(both(answersMembers(text, "recording_id"), answersMembers(language, "language"), answersMembers(integer, "audio_duration"), answersMembers(array, "utterances")))),
	on("recordings.transcript.json-raw-labels", "getRecordingTranscript", onlyJSON(utterances(like("Speaker and a number", `^Speaker \d+$`), "speaker"))),
	on("recordings.transcript.content-types", "getRecordingTranscript", func(o *observed) observation {
		format := o.query.Get("format")
		kind := transcriptTypes[format]
		if !o.ok() || kind == "" || format == "json" {
			return silent
		}
		shown := o.ResponseHeaders.Get("Content-Disposition")
		return decide(o.ResponseHeaders.Get("Content-Type") == kind && strings.HasPrefix(shown, "attachment") && strings.Contains(shown, "."+format),
			kind+" as an attachment with a name ending in ."+format, o.ResponseHeaders.Get("Content-Type")+"; "+shown)
	}),
}

var anyRecording = []string{"createRecording", "getRecording", "listRecordings"}

// transcriptTypes maps each format of a transcript to its Content-Type.
var transcriptTypes = map[string]string{
	"json": "application/json", "txt": "text/plain; charset=utf-8", "vtt": "text/vtt; charset=utf-8", "srt": "application/x-subrip; charset=utf-8",
	"csv": "text/csv; charset=utf-8", "pdf": "application/pdf", "docx": docxType,
}

func onlyIf(applies bool, v observation) observation {
	if applies {
		return v
	}
	return silent
}

// lacks reports whether the request's JSON has no value for one of the members.
func lacks(names ...string) func(*observed) bool {
	return func(o *observed) bool {
		return o.sent != nil && slices.ContainsFunc(names, func(name string) bool { return o.sent[name] == nil || o.sent[name] == "" })
	}
}

// eachRecording judges each recording in a response.
func eachRecording(fits func(*observed, map[string]any) (bool, string)) func(*observed) observation {
	return func(o *observed) observation {
		if !o.ok() {
			return silent
		}
		v := silent
		for _, r := range recordingsIn(o.value) {
			if ok, expected := fits(o, r); !ok {
				return disagrees(expected, r)
			}
			v = agrees
		}
		return v
	}
}

// eachListed judges each listed recording if the request has a parameter.
func eachListed(fits func(*observed, map[string]any) (bool, string), parameter string) func(*observed) observation {
	return func(o *observed) observation {
		if o.query.Get(parameter) == "" {
			return silent
		}
		return eachRecording(fits)(o)
	}
}

func contains(title any, query string) bool {
	return strings.Contains(strings.ToLower(fmt.Sprint(title)), strings.ToLower(query))
}

func limitBelowOne(o *observed) bool {
	n, err := strconv.Atoi(o.query.Get("limit"))
	return err == nil && n < 1
}

func limitIsNoNumber(o *observed) bool {
	_, err := strconv.ParseFloat(o.query.Get("limit"), 64)
	return o.query.Get("limit") != "" && err != nil
}

// countsItems agrees if count is the number of items.
func countsItems(list string) func(*observed) observation {
	return func(o *observed) observation {
		v, ok := o.at(list)
		items, isList := v.([]any)
		if !o.ok() || !ok || !isList {
			return silent
		}
		count, _ := o.at("count")
		return decide(count == json.Number(strconv.Itoa(len(items))), fmt.Sprintf("count: %d", len(items)), count)
	}
}

// unknownSpace agrees if a space that nobody has seen gets 404.
func unknownSpace(o *observed) observation {
	id := o.query.Get("space_id")
	if id == "" || o.history.knows(id) || o.Status != http.StatusNotFound && o.Status != http.StatusBadRequest || limitBelowOne(o) || limitIsNoNumber(o) || o.query.Has("cursor") {
		return silent
	}
	return decide(o.Status == http.StatusNotFound, "status 404", fmt.Sprintf("status %d", o.Status))
}

func transcriptParameterIsWrong(o *observed) bool {
	_, known := transcriptTypes[o.query.Get("format")]
	return o.query.Has("format") && !known || o.query.Has("language") && !language.fits(o.query.Get("language")) || notBoolean(o, "include_timestamp")
}

// onlyJSON judges a transcript in JSON.
func onlyJSON(judge func(*observed) observation) func(*observed) observation {
	return func(o *observed) observation {
		if format := o.query.Get("format"); format != "" && format != "json" {
			return silent
		}
		return judge(o)
	}
}

// utterances agrees if members of each utterance have a shape.
func utterances(s shape, names ...string) func(*observed) observation {
	return func(o *observed) observation {
		all := o.list("utterances")
		if !o.ok() || len(all) == 0 {
			return silent
		}
		for _, u := range all {
			for _, name := range names {
				if v, _ := member(u, name); !s.fits(v) {
					return disagrees(name+": "+s.name, v)
				}
			}
		}
		return agrees
	}
}
