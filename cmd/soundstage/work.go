package main

import (
	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/node"
)

func newWork(std streams) *cobra.Command {
	var r nodeRun
	var wanted backendFlags
	var logFormat string
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Do the jobs of a database: transcriptions, renders, imports, webhooks",
		Long: `Runs a worker. It takes jobs from the database that the nodes of soundstage serve --database share, and does them: it
transcribes, renders, imports, generates, delivers webhooks, and cleans up. Any number of workers may run. If one is killed,
others continue its jobs when its leases expire; if it is stopped with Ctrl-C or SIGTERM, at once.

--only restricts a worker to classes of jobs, so that each class can have machines of its own size. Each class needs a worker.

` + backendHelp + `
Exit codes: 2 wrong flags, 4 the schema of the database differs (see soundstage migrate), 5 the database, the object storage, or ffmpeg
can't be used.`,
		Example: `  soundstage work --database postgres://soundstage@db/soundstage --objects 's3://media?endpoint=https://s3.example.com&region=eu-west-1'
  soundstage work --database-file database.txt --objects s3://media --only transcribe,render --slots 4
  soundstage work --database-file database.txt --objects s3://media --only deliver,maintain --metrics-addr :9090`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			made, err := wanted.open(cmd)
			if err != nil {
				return err
			}
			wanted.applyTo(&r.ports, made)
			if err := checkMaxDuration(r.ports.MaxDuration); err != nil {
				return err
			}
			r.ports.Deadline, r.notices = wanted.deadline(), made.Notices
			r.config = node.Config{Work: true}
			if r.config.Log, err = newLog(logFormat, std.err); err != nil {
				return err
			}
			return r.run(cmd, std)
		},
	}
	f := cmd.Flags()
	r.flags.add(f)
	f.BoolVar(&r.ports.AllowPrivateURLs, "allow-private-urls", false, "let downloads, imports, and webhooks reach private addresses")
	f.StringVar(&r.ports.YTDLP, "yt-dlp", "", "`program` that finds the media of video and audio pages; default none")
	f.DurationVar(&r.ports.MaxDuration, "max-duration", 0, maxDurationHelp)
	f.StringVar(&logFormat, "log", "text", "log on standard error, with a line for each job: `text`, json, or off")
	wanted.register(f)
	return cmd
}
