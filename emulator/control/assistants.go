package control

import "net/http"

// assistantPath is where assistants reach the sandbox.
const assistantPath = "/_soundstage/mcp"

// assistantRoutes are the endpoints for assistants.
var assistantRoutes = routes{
	"POST " + assistantPath: func(h Host, w http.ResponseWriter, req *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		h.Assistants().ServeHTTP(w, req)
		return nil
	},
}

// refuseMethod responds to a GET or DELETE with the status by which clients learn that there is no session to listen to or to end.
func refuseMethod(w http.ResponseWriter) {
	w.Header().Set("Allow", http.MethodPost)
	writeJSON(w, http.StatusMethodNotAllowed, struct {
		Error string `json:"error"`
		Hint  string `json:"hint"`
	}{"There are no sessions.", "Send each request with POST."})
}
