package node_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/node"
)

// joinCluster runs a node on a database and a bucket, which it opens like another process.
func joinCluster(t *testing.T, database string, bucket s3test.Bucket, c node.Config) *running {
	t.Helper()
	store, err := postgres.Open(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	blobs, err := s3.Open(t.Context(), bucket.Address(""), s3.Options{AccessKey: bucket.AccessKey, SecretKey: bucket.SecretKey})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, blobs.Close()) })
	c.Store, c.Blobs = store, blobs
	return start(t, c)
}

// A client of two API nodes, on PostgreSQL and S3, gets a transcript and a clip that a worker made. It downloads the clip from the storage, and
// both nodes count its requests together.
func TestCluster(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it starts servers and renders video")
	database, bucket := pgtest.Database(t), s3test.New(t)
	limits := map[engine.Tier]int{engine.TierPlatform: 5000}
	a := joinCluster(t, database, bucket, node.Config{RateLimits: limits})
	b := joinCluster(t, database, bucket, node.Config{RateLimits: limits})
	joinCluster(t, database, bucket, node.Config{Work: true})
	c := a.client()
	id, _ := c.record("talk.mp4", sample(t, "conversation.mp4"), "video/mp4")
	onB := *c
	onB.url = b.url
	onB.settled("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	made := c.do(202, "POST", "/v1/renders", map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1500, "aspect_ratio": "1:1"})
	done := onB.settled("/v1/renders/"+made["render"].(map[string]any)["id"].(string), "render", "status", "completed")
	require.True(t, strings.HasPrefix(done["asset_url"].(string), bucket.Endpoint), done["asset_url"])
	status, video, _ := c.send("GET", done["asset_url"].(string), nil, "")
	require.Equal(t, 200, status)
	require.Equal(t, "ftyp", string(video[4:8]))
	_, _, one := c.send("GET", "/v1/recordings", nil, "")
	_, _, two := onB.send("GET", "/v1/recordings", nil, "")
	if one.Get("X-RateLimit-Reset") == two.Get("X-RateLimit-Reset") { // the same window
		require.NotEqual(t, one.Get("X-RateLimit-Remaining"), two.Get("X-RateLimit-Remaining"))
	}
	require.NotNil(t, find(a.scrape()["soundstage_jobs_waiting"], "class", "render"))
	ready, body := get(t, b.url+"/readyz")
	require.Equal(t, 200, ready, body)
}

// Nodes with new signing keys start once the old ones are forgotten, as docs/scale.md says.
func TestLostSigningKeys(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	begin := func(file string) error {
		store, err := postgres.Open(t.Context(), url)
		require.NoError(t, err)
		defer func() { require.NoError(t, store.Close()) }()
		keys, err := node.ParseSigningKeys([]byte(file))
		require.NoError(t, err)
		c := node.Config{Store: store, Blobs: memory.NewBlobs(), API: listen(t), SigningKeys: keys}
		n, err := node.New(t.Context(), c)
		if err != nil {
			return errors.Join(err, c.API.Close())
		}
		return n.Close()
	}
	lost, fresh := strings.Repeat("old-", 8), strings.Repeat("new-", 8)
	require.NoError(t, begin(lost))
	require.Equal(t, engine.CodeConflict, engine.CodeOf(begin(fresh)))
	page, err := os.ReadFile("../docs/scale.md")
	require.NoError(t, err)
	statement := regexp.MustCompile("`(DELETE FROM agreements [^`]+)`").FindSubmatch(page)
	require.NotNil(t, statement)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	tag, err := conn.Exec(t.Context(), string(statement[1]))
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	require.EqualValues(t, 1, tag.RowsAffected())
	require.NoError(t, begin(fresh))
}
