package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fsm"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// The diagrams of the README are generated from the state tables.
func TestDiagrams(t *testing.T) {
	t.Parallel()
	for _, m := range Machines() {
		path := filepath.Join("testdata", m.Name+".mermaid")
		if golden.Update() {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, []byte(m.Mermaid), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "run make golden")
		require.Equal(t, string(want), m.Mermaid, "run make golden")
	}
}

// Every state × event of the transcript machine: what the specification allows succeeds, everything else is CodeConflict.
func TestTranscriptMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, transcriptMachine, map[TranscriptStatus]map[TranscriptEvent]TranscriptStatus{
		TranscriptQueued:     {TranscriptStarted: TranscriptProcessing, TranscriptFailed: TranscriptError},
		TranscriptProcessing: {TranscriptFinished: TranscriptCompleted, TranscriptFailed: TranscriptError},
		TranscriptError:      {TranscriptRetried: TranscriptQueued},
	}, func(s TranscriptStatus, e TranscriptEvent) (TranscriptStatus, error) {
		tr, r := Transcript{Status: s}, Recording{TranscriptStatus: s}
		err := tr.apply(e, &r)
		require.Equal(t, tr.Status, r.TranscriptStatus, "a recording's status must equal its transcript's")
		alone := Transcript{Status: s}
		require.Equal(t, err == nil, alone.apply(e, nil) == nil)
		return tr.Status, err
	})
}

// Every state × event of the upload machine.
func TestUploadMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, uploadMachine, map[UploadStatus]map[UploadEvent]UploadStatus{
		UploadReserved: {UploadReceived: UploadStored, UploadLapsed: UploadExpired},
		UploadStored:   {UploadReceived: UploadStored, UploadTaken: UploadUsed, UploadLapsed: UploadExpired},
	}, func(s UploadStatus, e UploadEvent) (UploadStatus, error) {
		u := Upload{Status: s}
		err := u.apply(e)
		return u.Status, err
	})
}

// Every state × event of the render machine.
func TestRenderMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, renderMachine, map[RenderStatus]map[RenderEvent]RenderStatus{
		RenderRendering: {RenderFinished: RenderCompleted, RenderErrored: RenderFailed},
		RenderFailed:    {RenderRetried: RenderRendering},
	}, func(s RenderStatus, e RenderEvent) (RenderStatus, error) {
		r := Render{Status: s}
		err := r.apply(e)
		return r.Status, err
	})
}

// Every state × event of the output machine.
func TestOutputMatrix(t *testing.T) {
	t.Parallel()
	ways := map[OutputEvent]OutputStatus{
		OutputFinished: OutputCompleted, OutputErrored: OutputRetrying, OutputExhausted: OutputFailed, OutputStopped: OutputCanceled,
	}
	matrix(t, outputMachine, map[OutputStatus]map[OutputEvent]OutputStatus{
		OutputQueued: ways, OutputRetrying: ways, OutputFailed: {OutputRetried: OutputQueued},
	}, func(s OutputStatus, e OutputEvent) (OutputStatus, error) {
		o := Output{Status: s}
		err := o.apply(e)
		return o.Status, err
	})
}

// Every state × event of the import machine.
func TestImportMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, importMachine, map[ImportStatus]map[ImportEvent]ImportStatus{
		ImportQueued:     {ImportStarted: ImportProcessing, ImportFailed: ImportError, ImportStopped: ImportCanceled},
		ImportProcessing: {ImportFinished: ImportCompleted, ImportFailed: ImportError, ImportStopped: ImportCanceled},
		ImportError:      {ImportRetried: ImportQueued},
	}, func(s ImportStatus, e ImportEvent) (ImportStatus, error) {
		i := Import{Status: s}
		err := i.apply(e)
		return i.Status, err
	})
}

// Every state × event of the delivery machine: only a finished delivery can be replayed.
func TestDeliveryMatrix(t *testing.T) {
	t.Parallel()
	tries := map[DeliveryEvent]DeliveryStatus{
		DeliverySucceeded: DeliveryDelivered, DeliveryErrored: DeliveryRetrying, DeliveryExhausted: DeliveryFailed,
	}
	replay := map[DeliveryEvent]DeliveryStatus{DeliveryReplayed: DeliveryPending}
	matrix(t, deliveryMachine, map[DeliveryStatus]map[DeliveryEvent]DeliveryStatus{
		DeliveryPending: tries, DeliveryRetrying: tries, DeliveryDelivered: replay, DeliveryFailed: replay,
	}, func(s DeliveryStatus, e DeliveryEvent) (DeliveryStatus, error) {
		d := Delivery{Status: s}
		err := d.apply(e)
		return d.Status, err
	})
}

// Every state × event of the chat machine.
func TestChatMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, chatMachine, map[ChatStatus]map[ChatEvent]ChatStatus{
		ChatQueued: {ChatAnswered: ChatCompleted},
	}, func(s ChatStatus, e ChatEvent) (ChatStatus, error) {
		c := Chat{Status: s}
		err := c.apply(e)
		return c.Status, err
	})
}

// matrix applies every event in every state and compares the result with a list that is independent of the table.
func matrix[S, E ~string](t *testing.T, m *fsm.Machine[S, E], allowed map[S]map[E]S, apply func(S, E) (S, error)) {
	t.Helper()
	for _, s := range m.States() {
		for _, e := range m.Events() {
			got, err := apply(s, e)
			if want, ok := allowed[s][e]; ok {
				require.NoError(t, err, "%s in %s", e, s)
				require.Equal(t, want, got, "%s in %s", e, s)
			} else {
				require.Equal(t, CodeConflict, CodeOf(err), "%s in %s", e, s)
				require.Equal(t, s, got, "%s in %s", e, s)
			}
		}
	}
}

// No status is assigned outside *_states.go. A new row may only have its machine's initial state.
func TestStatusIsAssignedInStatesFilesOnly(t *testing.T) {
	t.Parallel()
	statuses := map[string]bool{"Status": true, "TranscriptStatus": true}
	checked := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_states.go") || strings.Contains(path, "enginetest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		checked++
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if sel, ok := left.(*ast.SelectorExpr); ok && statuses[sel.Sel.Name] && len(n.Rhs) > i && isConstant(n.Rhs[i]) {
						t.Errorf("%s assigns %s", path, sel.Sel.Name)
					}
				}
			case *ast.CompositeLit:
				name := ""
				if id, ok := n.Type.(*ast.Ident); ok {
					name = id.Name
				}
				if sel, ok := n.Type.(*ast.SelectorExpr); ok {
					name = sel.Sel.Name
				}
				if !slices.Contains([]string{"Transcript", "Recording", "Upload", "Import", "Output", "Chat", "Render", "Delivery", "Job"}, name) {
					return true
				}
				for _, el := range n.Elts {
					if kv, ok := el.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok && statuses[key.Name] && !isInitial(kv.Value) && isConstant(kv.Value) {
							t.Errorf("%s makes a %s in a state of its own choice", path, name)
						}
					}
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, checked, 20)
}

// isConstant reports whether the expression is a status constant or a string literal.
func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return ast.IsExported(e.Name)
	case *ast.SelectorExpr:
		return ast.IsExported(e.Sel.Name) && isPackage(e.X)
	case *ast.CallExpr:
		return len(e.Args) == 1 && isConstant(e.Args[0])
	}
	return false
}

func isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && (id.Name == "engine" || id.Name == "queue")
}

// isInitial reports whether the expression is someMachine.Initial().
func isInitial(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Initial"
}

// Over tells the statuses that end a job from those that a client polls.
func TestOver(t *testing.T) {
	t.Parallel()
	type status interface{ Over() bool }
	for _, s := range []status{
		ChatQueued, ImportQueued, ImportProcessing, OutputQueued, OutputRetrying, RenderRendering, TranscriptQueued, TranscriptProcessing,
		DeliveryPending, DeliveryRetrying,
	} {
		require.False(t, s.Over(), s)
	}
	for _, s := range []status{
		ChatCompleted, ImportCompleted, ImportError, ImportCanceled, OutputCompleted, OutputFailed, OutputCanceled, RenderCompleted, RenderFailed,
		TranscriptCompleted, TranscriptError, DeliveryDelivered, DeliveryFailed,
	} {
		require.True(t, s.Over(), s)
	}
}

// The contract says that finished deliveries are kept for 30 days.
func TestDeliveryKeep(t *testing.T) {
	t.Parallel()
	require.Equal(t, 720*time.Hour, DeliveryKeep)
}
