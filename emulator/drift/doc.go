// Package drift finds how a service differs from its contract and from the statements about it, in recorded exchanges.
//
//	c, err := drift.New()
//	f, err := record.Open(dir)
//	_, err = f.Each(func(x *record.Exchange) error { c.Add(x); return nil })
//	err = c.Report(f.To).Write(os.Stdout, "text")
//
// Each exchange is compared with the OpenAPI contract and judged by the statements (conformance.Observer). Equal differences
// are one [Finding]. Its provenance says what it means: a difference from a specified or documented part is a fault of the service or a change of
// it; one from an assumed part means that the assumption was wrong. Exchanges that can't be checked, such as those with a cut body, are counted.
package drift
