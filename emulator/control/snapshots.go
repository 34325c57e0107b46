package control

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/snapshot"
)

// SnapshotHost is the part of Host that is about snapshots. Each is CodeConflict with a data folder, and CodeNotFound without the world.
type SnapshotHost interface {
	// SaveSnapshot returns what writes the file of a world as it is now.
	SaveSnapshot(ctx context.Context, world string) (*snapshot.Writer, error)
	// LoadSnapshot puts a world back to what is in a file, all or nothing. CodeInvalid, CodeTooLarge.
	LoadSnapshot(ctx context.Context, world string, r io.Reader) error
	// KeepSnapshot keeps what a world has now. CodeInvalid, CodeConflict, CodeNoSpace.
	KeepSnapshot(ctx context.Context, world, name string) (SnapshotInfo, error)
	Snapshots() []SnapshotInfo
	// RestoreSnapshot puts a world back to a snapshot that is kept. CodeNotFound.
	RestoreSnapshot(ctx context.Context, name, world string) error
	DeleteSnapshot(name string) error // CodeNotFound
}

// SnapshotInfo describes a snapshot that the server keeps.
type SnapshotInfo struct {
	Name  string    `json:"name"`
	World string    `json:"world"` // that it is of
	Seed  uint64    `json:"seed"`
	Clock string    `json:"clock"` // mode
	Now   time.Time `json:"now"`   // what the clock showed
}

// newSnapshot is the body of POST /_soundstage/snapshots.
type newSnapshot struct {
	Name string `json:"name"` // 1 to 64 of a-z, 0-9 and -
}

// snapshotList is the body of GET /_soundstage/snapshots.
type snapshotList struct {
	Snapshots []SnapshotInfo `json:"snapshots"`
	Count     int            `json:"count"`
}

// snapshotRoutes are about the state of a world as a whole.
var snapshotRoutes = routes{
	"GET /_soundstage/snapshot": saveSnapshot,
	"PUT /_soundstage/snapshot": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return answerOK(w, h.LoadSnapshot(req.Context(), worldName(req), req.Body))
	},
	"POST /_soundstage/snapshots": func(h Host, w http.ResponseWriter, req *http.Request) error {
		var n newSnapshot
		if err := read(w, req, &n); err != nil {
			return err
		}
		info, err := h.KeepSnapshot(req.Context(), worldName(req), n.Name)
		if err == nil {
			write(w, http.StatusCreated, info)
		}
		return err
	},
	"GET /_soundstage/snapshots": func(h Host, w http.ResponseWriter, _ *http.Request) error {
		all := h.Snapshots()
		write(w, http.StatusOK, snapshotList{all, len(all)})
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
		write(w, http.StatusOK, statusBody{"ok"})
	}
	return err
}

// saveSnapshot is GET /_soundstage/snapshot. When it fails in the middle, the answer is broken off, so that nobody takes it for whole.
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
