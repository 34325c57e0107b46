package fetch_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// Response codes of the name server. Source: RFC 1035, section 4.1.1.
const (
	rcodeServerFailure = 2
	rcodeNameError     = 3
)

// nameServer is a DNS server in memory. It answers for the names in its table; other names don't exist.
type nameServer struct {
	mu    sync.Mutex
	names map[string]func() []netip.Addr // the addresses for the next query; nil is a server failure
	asked map[string]int
}

func newNameServer() *nameServer {
	return &nameServer{names: map[string]func() []netip.Addr{}, asked: map[string]int{}}
}

// add makes a name resolve to addresses: first to the first list, then to the next; the last list repeats. A resolver
// queries A and AAAA separately, so each list serves both queries.
func (s *nameServer) add(name string, lists ...[]netip.Addr) {
	s.names[name] = func() []netip.Addr {
		turn := min((s.asked[name]-1)/2, len(lists)-1)
		return lists[turn]
	}
}

// addFailing makes queries for a name fail.
func (s *nameServer) addFailing(name string) { s.names[name] = nil }

// resolver returns a resolver that queries the server.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go s.serveConn(server)
		return client, nil
	}}
}

// serveConn answers queries over TCP, with two bytes of length before each message (RFC 1035, section 4.2.2).
func (s *nameServer) serveConn(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, query); err != nil {
			return
		}
		reply := s.answer(query)
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// answer returns a response with the query's ID, its question, and the addresses of the requested type.
func (s *nameServer) answer(query []byte) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	labels, end := []string{}, header
	for query[end] != 0 {
		n := int(query[end])
		labels = append(labels, string(query[end+1:end+1+n]))
		end += 1 + n
	}
	end++
	kind := binary.BigEndian.Uint16(query[end:])
	question := query[header : end+4]

	addresses, rcode := s.lookup(strings.ToLower(strings.Join(labels, ".")))
	var records []byte
	count := uint16(0)
	for _, ip := range addresses {
		if ip.Is4() && kind != typeA || ip.Is6() && kind != typeAAAA {
			continue
		}
		records = append(records, 0xc0, header)                // pointer to the question's name
		records = binary.BigEndian.AppendUint16(records, kind) //
		records = append(records, 0, 1, 0, 0, 0, 0)            // class IN, TTL 0
		records = binary.BigEndian.AppendUint16(records, uint16(ip.BitLen()/8))
		records = append(records, ip.AsSlice()...)
		count++
	}
	reply := append([]byte{}, query[:2]...)
	reply = append(reply, 0x81, 0x80|rcode, 0, 1)
	reply = binary.BigEndian.AppendUint16(reply, count)
	reply = append(reply, 0, 0, 0, 0)
	return append(append(reply, question...), records...)
}

func (s *nameServer) lookup(name string) ([]netip.Addr, byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	addresses, ok := s.names[name]
	switch {
	case !ok:
		return nil, rcodeNameError
	case addresses == nil:
		return nil, rcodeServerFailure
	}
	s.asked[name]++
	return addresses(), 0
}
