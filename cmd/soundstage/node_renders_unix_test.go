//go:build unix

package main

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// --style and --for of a node are stored with the renders that it creates, on PostgreSQL, and a worker without these flags renders them. What
// /v1 answers stays the same. Renders of another node have its own.
func TestNodeRenderDefaults(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts PostgreSQL and nodes, and renders video")
	c := newCluster(t)
	worker := c.worker()
	styled, plain := c.api("--style", "minimal", "--for", "web"), c.api()
	p := &process{t: t, url: styled.url}
	id := p.record("conversation.wav")
	p.waitStatus(id, "completed")
	var renders []string
	for _, url := range []string{styled.url, plain.url} {
		p.url = url
		status, made := p.call("POST", "/v1/renders", "sk_sandbox_platform", map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1000})
		require.Equal(t, 202, status)
		r := made["render"].(map[string]any)
		require.Equal(t, []any{"audiogram", "9:16"}, []any{r["style"], r["aspect_ratio"]})
		renders = append(renders, r["id"].(string))
	}
	require.Equal(t, []string{"minimal web"}, c.query("SELECT (look::json->>'name') || ' ' || target FROM renders WHERE id = '"+renders[0]+"'"))
	require.Equal(t, []string{" "}, c.query("SELECT look || ' ' || target FROM renders WHERE id = '"+renders[1]+"'"))
	require.Eventually(t, func() bool {
		_, got := p.call("GET", "/v1/renders/"+renders[0], "sk_sandbox_platform", nil)
		r := got["render"].(map[string]any)
		require.NotEqual(t, "failed", r["status"], r["message"])
		return r["status"] == "completed"
	}, time.Minute, 100*time.Millisecond)
	for _, n := range []*clusterNode{styled, plain, worker} {
		c.end(n, syscall.SIGTERM)
	}
}
