package postgres_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// A connection that ends in the middle of a result never makes rows be read twice.
func TestCutResult(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	const rows = 2000
	write := openAt(t, server.URL())
	require.NoError(t, write.Update(t.Context(), func(tx engine.Tx) error {
		for i := range rows {
			if err := tx.PutSpeaker(engine.Speaker{ID: engine.SpeakerID(fmt.Sprint(i)), SpaceID: "space", Bio: strings.Repeat("x", 500)}); err != nil {
				return err
			}
		}
		return nil
	}))
	limit := new(atomic.Int64)
	limit.Store(1 << 40)
	s := openAt(t, cutting(t, server, limit))
	limit.Store(200_000) // bytes, of a result of a megabyte
	cut := 0
	for range 20 {
		err := s.View(t.Context(), func(tx engine.ReadTx) error {
			speakers, err := tx.Speakers("space")
			if err == nil {
				require.Len(t, speakers, rows)
			}
			return err
		})
		if err != nil {
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err), "%v", err)
			cut++
		}
	}
	require.Equal(t, 1, cut)
}

// cutting returns the URL of a proxy that ends one connection after a number of bytes from the server, counted while the limit is low.
func cutting(t *testing.T, server *pgtest.Server, limit *atomic.Int64) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go pipe(client, server.Socket(), limit)
		}
	}()
	host, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return (&url.URL{Scheme: "postgres", User: url.User("soundstage"), Host: net.JoinHostPort(host, port), Path: "/postgres", RawQuery: "sslmode=disable"}).String()
}

// pipe copies between a client and the server until one of them ends, or until the limit is reached.
func pipe(client net.Conn, socket string, limit *atomic.Int64) {
	defer client.Close()
	up, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer up.Close()
	go func() { _, _ = io.Copy(up, client) }()
	buffer := make([]byte, 8<<10)
	for sent := int64(0); ; {
		n, err := up.Read(buffer)
		if limit.Load() < 1<<40 {
			sent += int64(n)
		}
		if err != nil {
			return
		}
		if sent > limit.Load() {
			limit.Store(1 << 40)
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
