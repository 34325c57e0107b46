package console

import (
	"net/http"
	"strconv"
	"strings"
)

// Wanted reports whether a request to / comes from a browser, which wants the console, and not from a client of the API: it names text/html, and
// JSON at most as much.
func Wanted(req *http.Request) bool {
	if req.URL.Path != "/" || req.Method != http.MethodGet && req.Method != http.MethodHead {
		return false
	}
	weights := weightsOf(req.Header.Values("Accept"))
	return weights["text/html"] > 0 && weights["text/html"] >= weights["application/json"]
}

// takesGzip reports whether an Accept-Encoding allows gzip (RFC 9110, section 12.5.3).
func takesGzip(values []string) bool {
	weights := weightsOf(values)
	for _, name := range []string{"gzip", "x-gzip", "*"} {
		if weight, named := weights[name]; named {
			return weight > 0
		}
	}
	return false
}

// weightsOf returns the weight of each name in a header field such as "text/html, */*;q=0.8" (RFC 9110, section 12.4.2). One that isn't valid is 0.
func weightsOf(values []string) map[string]float64 {
	weights := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		for parameter := range strings.SplitSeq(parameters, ";") {
			if key, value, _ := strings.Cut(strings.TrimSpace(parameter), "="); strings.EqualFold(key, "q") {
				if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n <= 1 {
					weight = n
				} else {
					weight = 0
				}
			}
		}
		weights[strings.ToLower(strings.TrimSpace(name))] = weight
	}
	return weights
}
