package node

import (
	"encoding/json"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The JSON of an OTLP ExportTraceServiceRequest, as far as it is used.
type (
	otlpRequest struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource   otlpAttributes `json:"resource"`
		ScopeSpans []otlpScope    `json:"scopeSpans"`
	}
	otlpAttributes struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpScope struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"` // hexadecimal, unlike other bytes in JSON
		SpanID     string          `json:"spanId"`
		ParentID   string          `json:"parentSpanId,omitempty"`
		TraceState string          `json:"traceState,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"`
		Start      string          `json:"startTimeUnixNano"` // 64-bit numbers are strings
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpStatus struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	otlpAttribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// encodeSpans returns the request for spans of one tracer.
func encodeSpans(spans []sdk.ReadOnlySpan) otlpRequest {
	if len(spans) == 0 {
		return otlpRequest{}
	}
	var scope otlpScope
	scope.Scope.Name = spans[0].InstrumentationScope().Name
	for _, s := range spans {
		scope.Spans = append(scope.Spans, encodeSpan(s))
	}
	about := otlpAttributes{encodeAttributes(spans[0].Resource().Attributes())}
	return otlpRequest{[]otlpResource{{Resource: about, ScopeSpans: []otlpScope{scope}}}}
}

func encodeSpan(s sdk.ReadOnlySpan) otlpSpan {
	self, status := s.SpanContext(), s.Status()
	out := otlpSpan{
		TraceID: self.TraceID().String(), SpanID: self.SpanID().String(), TraceState: self.TraceState().String(), Name: s.Name(),
		Kind: int(s.SpanKind()), Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()), Attributes: encodeAttributes(s.Attributes()),
	}
	if parent := s.Parent(); parent.HasSpanID() {
		out.ParentID = parent.SpanID().String()
	}
	switch status.Code { // OTLP numbers them in another order than the library
	case codes.Ok:
		out.Status.Code = 1
	case codes.Error:
		out.Status = otlpStatus{2, status.Description}
	}
	return out
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func encodeAttributes(all []attribute.KeyValue) []otlpAttribute {
	out := make([]otlpAttribute, 0, len(all))
	for _, a := range all {
		out = append(out, otlpAttribute{string(a.Key), encodeValue(a.Value)})
	}
	return out
}

func encodeValue(v attribute.Value) map[string]any {
	switch v.Type() {
	case attribute.BOOL:
		return map[string]any{"boolValue": v.AsBool()}
	case attribute.INT64:
		return map[string]any{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return map[string]any{"doubleValue": json.Number(strconv.FormatFloat(v.AsFloat64(), 'g', -1, 64))}
	}
	return map[string]any{"stringValue": v.String()}
}
