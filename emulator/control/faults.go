package control

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// faultList holds a world's faults in the order they were added.
type faultList struct {
	Remaining []traffic.FaultState `json:"remaining"` // can still fire
	Fired     []traffic.FaultState `json:"fired"`     // have fired at least once
}

// faultRoutes are the endpoints for a world's faults.
var faultRoutes = routes{
	"POST /_soundstage/faults":        addFault,
	"GET /_soundstage/faults":         listFaults,
	"DELETE /_soundstage/faults":      removeFaults,
	"DELETE /_soundstage/faults/{id}": removeFault,
	"POST /_soundstage/faults/verify": verifyFaults,
}

// addFault handles POST /_soundstage/faults {match, do, times, probability, seed}: 201 with the fault, 400 when it could never fire.
func addFault(h Host, w http.ResponseWriter, req *http.Request) error {
	var f traffic.Fault
	world, err := worldAndBody(h, w, req, &f)
	if err != nil {
		return err
	}
	state, err := world.Traffic().AddFault(f)
	if err == nil {
		writeJSON(w, http.StatusCreated, state)
	}
	return err
}

// listFaults handles GET /_soundstage/faults.
func listFaults(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var out faultList
	out.Remaining, out.Fired = world.Traffic().Faults()
	writeJSON(w, http.StatusOK, out)
	return nil
}

// removeFaults handles DELETE /_soundstage/faults.
func removeFaults(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	world.Traffic().RemoveFaults()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// removeFault handles DELETE /_soundstage/faults/{id}.
func removeFault(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err == nil {
		err = world.Traffic().RemoveFault(req.PathValue("id"))
	}
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// verifyFaults handles POST /_soundstage/faults/verify: 200 when every fault has fired as often as it should, else 409 with the others.
func verifyFaults(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	unfired, err := world.Traffic().VerifyFaults()
	if err == nil {
		writeJSON(w, http.StatusOK, statusBody{"ok"})
		return nil
	}
	writeJSON(w, api.StatusOf(engine.CodeOf(err)), struct {
		Error   string               `json:"error"`
		Unfired []traffic.FaultState `json:"unfired"`
	}{engine.Message(err), unfired})
	return nil
}
