package hostile

import (
	"io"
	"net"
	"slices"
	"sync"
	"testing"
)

// Canary listens on addresses of this machine. Nothing may connect to it. It closes connections at once.
type Canary []*Address

// Address is one address of a canary.
type Address struct {
	net.Listener
	mu   sync.Mutex
	from []string // addresses of clients that connected
}

// listen accepts connections until the listener is closed.
func (a *Address) listen() {
	for {
		conn, err := a.Accept()
		if err != nil {
			return
		}
		a.mu.Lock()
		a.from = append(a.from, conn.RemoteAddr().String())
		a.mu.Unlock()
		_ = conn.Close()
	}
}

// Listen listens on 127.0.0.1 and, where they exist, on ::1 and the machine's other addresses, until the test ends.
func Listen(t testing.TB) Canary {
	t.Helper()
	hosts := []string{"127.0.0.1", "::1"}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if ip, _, err := net.ParseCIDR(a.String()); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			hosts = append(hosts, ip.String())
		}
	}
	var c Canary
	for i, host := range hosts {
		l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		if err != nil && i == 0 {
			t.Fatal(err)
		}
		if err != nil {
			continue // a machine without IPv6
		}
		address := &Address{Listener: l}
		var running sync.WaitGroup
		running.Go(address.listen)
		t.Cleanup(func() { _ = l.Close(); running.Wait() })
		c = append(c, address)
	}
	return c
}

// URLs returns a URL for each address, such as http://[::1]:34567/a.mp3.
func (c Canary) URLs() (urls []string) {
	for _, l := range c {
		urls = append(urls, "http://"+l.Addr().String()+"/a.mp3")
	}
	return urls
}

// RequireSilent fails the test if anything has connected. Connections are accepted in the order in which they were made, so a connection of its
// own shows that no other one is still waiting.
func (c Canary) RequireSilent(t testing.TB) {
	t.Helper()
	for _, a := range c {
		own, err := net.Dial("tcp", a.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, own) // until the canary has closed it
		_ = own.Close()
		a.mu.Lock()
		others := slices.DeleteFunc(a.from, func(from string) bool { return from == own.LocalAddr().String() })
		a.from = nil
		a.mu.Unlock()
		if len(others) > 0 {
			t.Errorf("%d connections to %s", len(others), a.Addr())
		}
	}
}
