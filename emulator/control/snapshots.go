package control

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/snapshot"
)

// SnapshotHost is the part of Host for snapshots. Every method returns CodeConflict with a data folder and CodeNotFound for an unknown world.
type SnapshotHost interface {
	// SaveSnapshot returns a writer for the snapshot file of a world's current state.
	SaveSnapshot(ctx context.Context, world string) (*snapshot.Writer, error)
	// LoadSnapshot replaces a world's state by a snapshot file, all or nothing. CodeInvalid, CodeTooLarge.
	LoadSnapshot(ctx context.Context, world string, r io.Reader) error
	// StoreSnapshot stores a world's current state on the server, under a name. CodeInvalid, CodeConflict, CodeNoSpace.
	StoreSnapshot(ctx context.Context, world, name string) (SnapshotInfo, error)
	Snapshots() []SnapshotInfo
	// RestoreSnapshot replaces a world's state by a stored snapshot. CodeNotFound.
	RestoreSnapshot(ctx context.Context, name, world string) error
	DeleteSnapshot(name string) error // CodeNotFound
}

// SnapshotInfo describes a snapshot stored on the server.
type SnapshotInfo struct {
	Name  string    `json:"name"`
	World string    `json:"world"` // world that it was taken from
	Seed  uint64    `json:"seed"`
	Clock string    `json:"clock"` // mode
	Now   time.Time `json:"now"`   // the clock's time when it was taken
}

// newSnapshot is the body of POST /_soundstage/snapshots.
type newSnapshot struct {
	Name string `json:"name"` // 1 to 64 characters of a-z, 0-9, and -
}

// snapshotList is the body of GET /_soundstage/snapshots.
type snapshotList struct {
	Snapshots []SnapshotInfo `json:"snapshots"`
	Count     int            `json:"count"`
}

// snapshotRoutes are the endpoints for snapshots of worlds.
var snapshotRoutes = routes{
	"GET /_soundstage/snapshot": saveSnapshot,
	"PUT /_soundstage/snapshot": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return answerOK(w, h.LoadSnapshot(req.Context(), worldName(req), req.Body))
	},
	"POST /_soundstage/snapshots": func(h Host, w http.ResponseWriter, req *http.Request) error {
		var n newSnapshot
		if err := readBody(w, req, &n); err != nil {
			return err
		}
		info, err := h.StoreSnapshot(req.Context(), worldName(req), n.Name)
		if err == nil {
			writeJSON(w, http.StatusCreated, info)
		}
		return err
	},
	"GET /_soundstage/snapshots": func(h Host, w http.ResponseWriter, _ *http.Request) error {
		all := h.Snapshots()
		writeJSON(w, http.StatusOK, snapshotList{all, len(all)})
		return nil
	},
	"POST /_soundstage/snapshots/{name}/restore": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return answerOK(w, h.RestoreSnapshot(req.Context(), req.PathValue("name"), worldName(req)))
	},
	"DELETE /_soundstage/snapshots/{name}": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return answerOK(w, h.DeleteSnapshot(req.PathValue("name")))
	},
}

func answerOK(w http.ResponseWriter, err error) error {
	if err == nil {
		writeJSON(w, http.StatusOK, statusBody{"ok"})
	}
	return err
}

// saveSnapshot handles GET /_soundstage/snapshot. When writing fails midway, it aborts the response, so that the file isn't mistaken for
// a complete one.
func saveSnapshot(h Host, w http.ResponseWriter, req *http.Request) error {
	file, err := h.SaveSnapshot(req.Context(), worldName(req))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", snapshot.ContentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", file.World()+".soundstage"))
	if req.Method == http.MethodHead {
		return nil
	}
	if err := file.Write(w); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
