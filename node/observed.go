package node

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// observed returns next with metrics and a trace of each request. Without both, it is next.
func (n *Node) observed(next http.Handler) http.Handler {
	if n.c.Traces != nil {
		next = traced(next, n.c.Traces)
	}
	if n.metrics != nil {
		next = measured(next, n.metrics)
	}
	return next
}

// measured counts and times requests by the pattern of their route, so that IDs don't multiply the metrics.
func measured(next http.Handler, m *metrics) http.Handler {
	inFlight := m.inFlight()
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		begun, status := time.Now(), &statusWriter{ResponseWriter: w}
		inFlight.Inc()
		defer func() {
			inFlight.Dec()
			m.request(routeOf(req), methodOf(req), status.code(), time.Since(begun))
		}()
		next.ServeHTTP(status, req)
	})
}

// traced makes a span of each request. It continues the trace of a W3C traceparent header.
func traced(next http.Handler, tracer trace.Tracer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx := propagation.TraceContext{}.Extract(req.Context(), propagation.HeaderCarrier(req.Header))
		ctx, span := tracer.Start(ctx, methodOf(req), trace.WithSpanKind(trace.SpanKindServer))
		status, inner := &statusWriter{ResponseWriter: w}, req.WithContext(ctx)
		defer func() {
			req.Pattern = inner.Pattern // the mux sets it on the request that it gets
			span.SetName(methodOf(req) + " " + routeOf(req))
			span.SetAttributes(
				attribute.String("http.request.method", methodOf(req)), attribute.String("http.route", routeOf(req)),
				attribute.Int("http.response.status_code", status.code()), attribute.String("soundstage.request", w.Header().Get("X-Request-Id")),
			)
			if status.code() >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}()
		next.ServeHTTP(status, inner)
	})
}

// routeOf returns the path of the route that served a request: "/v1/recordings/{id}".
func routeOf(req *http.Request) string {
	if _, path, ok := strings.Cut(req.Pattern, " "); ok {
		return path
	}
	return cmp.Or(req.Pattern, "/") // no mux served a path that is not exact
}

// methodOf returns a request's method, or "other" for one that clients made up.
func methodOf(req *http.Request) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, req.Method) {
		return req.Method
	}
	return "other"
}

// statusWriter records the status of a response.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController and package api reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
