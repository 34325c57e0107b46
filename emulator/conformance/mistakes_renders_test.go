package conformance_test

import "strings"

// renderMistakes returns mistakes about renders.
func renderMistakes() []mistake {
	return []mistake{
		{name: "a render starts as queued", method: "POST", path: "/v1/renders$", edit: set("queued", "render", "status"),
			fails: []string{"states.render.entry", "renders.create.rendering", "states.render.values"}},
		{name: "the window is not snapped", method: "GET", path: "/v1/renders/", edit: set(601, "render", "start_ms"), fails: []string{"renders.create.snaps"}},
		{name: "the no-speech error doesn't help", method: "POST", path: "/v1/renders$", edit: func(v map[string]any) {
			if s, ok := v["error"].(string); ok && strings.Contains(s, "spoken") {
				v["error"] = "No."
			}
		}, fails: []string{"renders.create.no-speech"}},
		{name: "the end of a window is not rounded up", method: "POST", path: "/v1/renders$", request: replaceBody(`"end_ms":28000`, `"end_ms":28001`),
			fails: []string{"renders.create.end-rounded"}},
		{name: "one aspect ratio is rejected", method: "POST", path: "/v1/renders$", request: replaceBody(`"aspect_ratio":"4:5"`, `"aspect_ratio":"5:4"`),
			fails: []string{"renders.create.aspect-ratios"}},
		{name: "the asset returns 404", method: "GET", path: "/storage/", status: [2]int{200, 404},
			fails: []string{"states.render.asset", "renders.asset.minted-anew"}},
	}
}
