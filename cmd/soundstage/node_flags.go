package main

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/node"
)

// databaseFlags choose a database.
type databaseFlags struct {
	database     string
	databaseFile string
}

func (d *databaseFlags) add(f *pflag.FlagSet) {
	f.StringVar(&d.database, "database", "", "`address` of the database: postgres://USER@HOST/NAME; with a password, use the variable or --database-file")
	f.StringVar(&d.databaseFile, "database-file", "", "`file` with the address of the database and its password; mode 0600")
}

// wanted reports whether a database is chosen.
func (d *databaseFlags) wanted() bool { return d.database != "" || d.databaseFile != "" }

// address returns the address of the database. CodeInvalid for none or two, and for a password that the process list would show.
func (d *databaseFlags) address(cmd *cobra.Command) (string, error) {
	op := cmd.Name()
	switch {
	case !d.wanted():
		return "", engine.Errorf(engine.CodeInvalid, op, "--database is required.").WithHint("Set it to postgres://USER@HOST/NAME; see `" + cmd.CommandPath() + " --help`.")
	case d.database != "" && d.databaseFile != "":
		return "", engine.Errorf(engine.CodeInvalid, op, "--database and --database-file exclude each other.").WithHint("Set one of them.")
	case d.databaseFile != "":
		b, err := readSecretFile(op, d.databaseFile)
		return strings.TrimSpace(string(b)), err
	}
	return d.database, refusePassword(cmd, "database", d.database, "Set it with SOUNDSTAGE_DATABASE, --database-file, PGPASSWORD, or ~/.pgpass.")
}

// refusePassword returns CodeInvalid for an address on the command line that contains a password: other users can list processes.
func refusePassword(cmd *cobra.Command, flag, address, hint string) error {
	if f := cmd.Flags().Lookup(flag); setByEnv(f) || !node.HasPassword(address) {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, cmd.Name(), "--%s contains a password, which other users could see in the list of processes.", flag).WithHint(hint)
}

// storageFlags choose a database and an object storage.
type storageFlags struct {
	databaseFlags
	objects string
}

func (s *storageFlags) add(f *pflag.FlagSet) {
	s.databaseFlags.add(f)
	f.StringVar(&s.objects, "objects", "", "`address` of the object storage: s3://BUCKET?endpoint=https://HOST&region=REGION; keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
}

// objectsHint says how to set the keys of an object storage.
const objectsHint = "Set keys with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."

// storage is an open database and object storage.
type storage struct {
	store engine.Store
	blobs engine.Blobs
}

// open opens the database and the object storage. copies is the folder for local copies of media; "" for a new one.
func (s *storageFlags) open(ctx context.Context, cmd *cobra.Command, copies string) (*storage, error) {
	address, err := s.address(cmd)
	if err != nil {
		return nil, err
	}
	if s.objects == "" {
		return nil, engine.Errorf(engine.CodeInvalid, cmd.Name(), "--objects is required with --database.").WithHint("Set it to s3://BUCKET?endpoint=https://HOST&region=REGION.")
	}
	if err := refusePassword(cmd, "objects", s.objects, objectsHint); err != nil {
		return nil, err
	}
	var out storage
	if out.store, err = node.OpenStore(ctx, address); err != nil {
		return nil, err
	}
	if out.blobs, err = node.OpenBlobsWith(ctx, s.objects, node.BlobOptions{CopyDir: copies}); err != nil {
		return nil, errors.Join(err, node.Close(out.store))
	}
	return &out, nil
}

func (s *storage) close() error { return errors.Join(node.Close(s.blobs), node.Close(s.store)) }

// nodeFlags are the flags of every node.
type nodeFlags struct {
	storageFlags
	only         []string
	slots        int
	metricsAddr  string
	traces       bool
	drainTimeout time.Duration
}

func (n *nodeFlags) add(f *pflag.FlagSet) {
	n.storageFlags.add(f)
	f.StringSliceVar(&n.only, "only", nil, "comma-separated `classes` of jobs to work on: transcribe, import, generate, render, deliver, maintain; default all")
	setVariable(f, "only", "work-only")
	f.IntVar(&n.slots, "slots", 0, "`number` of concurrent jobs of each class; 0 for a default that depends on the class")
	f.StringVar(&n.metricsAddr, "metrics-addr", "", "`host:port` of /metrics, for Prometheus, and of /healthz and /readyz; default none")
	f.BoolVar(&n.traces, "traces", false, "send OpenTelemetry traces by OTLP/HTTP, as the OTEL_ variables say; the default if OTEL_EXPORTER_OTLP_ENDPOINT is set")
	f.DurationVar(&n.drainTimeout, "drain-timeout", node.DefaultDrainTimeout, "longest `time` for requests in progress when the node stops")
}

// apply sets the flags in a node's Config.
func (n *nodeFlags) apply(c *node.Config) (err error) {
	if n.slots < 0 {
		return engine.Errorf(engine.CodeInvalid, "node", "--slots must not be negative (got %d).", n.slots)
	}
	if n.drainTimeout <= 0 {
		return engine.Errorf(engine.CodeInvalid, "node", "--drain-timeout must be greater than zero (got %s).", n.drainTimeout)
	}
	c.Slots, c.DrainTimeout, c.Version = n.slots, n.drainTimeout, versionString()
	c.Only, err = node.ParseClasses(n.only)
	return err
}

// describeWork says which jobs a node works on.
func describeWork(c node.Config) string {
	if !c.Work {
		return "no work"
	}
	names := make([]string, len(c.Only))
	for i, class := range c.Only {
		names[i] = string(class)
	}
	return "work: " + cmp.Or(strings.Join(names, ", "), "all classes")
}
