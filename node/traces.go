package node

import (
	"context"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/soundstage-dev/soundstage/engine"
)

// TracesWanted reports whether the environment names a collector of traces.
func TracesWanted(lookup func(string) string) bool {
	return lookup("OTEL_SDK_DISABLED") != "true" && (lookup("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || lookup("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "")
}

// NewTraces returns a tracer that sends its spans to a collector by OTLP/HTTP, as JSON. The standard OTEL_… variables configure the
// endpoint (default http://localhost:4318), headers, timeout, sampler, batches, and resource. stop sends what is left. CodeInvalid for
// a variable that can't be used.
func NewTraces(ctx context.Context, version string) (tracer trace.Tracer, stop func(context.Context) error, err error) {
	to, err := collectorOf(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "soundstage"), attribute.String("service.version", version)),
		resource.WithFromEnv(), resource.WithHost(),
	)
	if err != nil {
		return nil, nil, engine.Errorf(engine.CodeInvalid, "node.NewTraces", "The OTEL_ variables can't be used.").Because(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(to), sdk.WithResource(about))
	return provider.Tracer("github.com/soundstage-dev/soundstage/node"), provider.Shutdown, nil
}

// exportTimeout is the default of OTEL_EXPORTER_OTLP_TIMEOUT.
const exportTimeout = 10 * time.Second

// collectorOf returns the collector that the standard variables describe
// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
func collectorOf(env func(string) string) (*collector, error) {
	invalid := func(name, hint string) error {
		return engine.Errorf(engine.CodeInvalid, "node.NewTraces", "The variable %s can't be used.", name).WithHint(hint)
	}
	get := func(name string) string {
		if v := env("OTEL_EXPORTER_OTLP_TRACES_" + name); v != "" {
			return v
		}
		return env("OTEL_EXPORTER_OTLP_" + name)
	}
	if get("PROTOCOL") == "grpc" {
		return nil, invalid("OTEL_EXPORTER_OTLP_PROTOCOL", "Traces are sent by HTTP only. Set it to http/json, and use the collector's HTTP port, usually 4318.")
	}
	c := &collector{url: env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), timeout: exportTimeout, header: map[string]string{}}
	if c.url == "" {
		base := env("OTEL_EXPORTER_OTLP_ENDPOINT")
		if base == "" {
			base = "http://localhost:4318"
		}
		c.url = strings.TrimRight(base, "/") + "/v1/traces"
	}
	if u, err := url.Parse(c.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, invalid("OTEL_EXPORTER_OTLP_ENDPOINT", "Use a URL such as http://localhost:4318.")
	}
	if raw := get("TIMEOUT"); raw != "" {
		ms, err := strconv.Atoi(raw)
		if err != nil || ms <= 0 {
			return nil, invalid("OTEL_EXPORTER_OTLP_TIMEOUT", "Use a number of milliseconds.")
		}
		c.timeout = time.Duration(ms) * time.Millisecond
	}
	for pair := range strings.SplitSeq(get("HEADERS"), ",") {
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !ok || err != nil {
			return nil, invalid("OTEL_EXPORTER_OTLP_HEADERS", "Use name=value pairs with commas between them.")
		}
		c.header[name] = value
	}
	return c, nil
}
