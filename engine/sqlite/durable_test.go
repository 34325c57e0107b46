package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// jobsEnv is the number of durable jobs that the child durableJobs commits.
const jobsEnv = "SOUNDSTAGE_TEST_JOBS"

// durableJobs commits a recording and its job in each Update, one at a time. It ends without closing the store, which would move the log.
func durableJobs(path string) error {
	n, err := strconv.Atoi(os.Getenv(jobsEnv))
	if err != nil {
		return err
	}
	s, err := sqlite.Open(context.Background(), path)
	for i := 0; i < n && err == nil; i++ {
		err = s.Update(context.Background(), func(tx engine.Tx) error { return recordingAndJob(tx, i) })
	}
	return err
}

func recordingAndJob(tx engine.Tx, i int) error {
	return errors.Join(tx.PutRecording(recording("space", i)), tx.Enqueue(job(fmt.Sprint(i))))
}
