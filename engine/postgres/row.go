package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// scanAll calls scan for each row of a result, and closes it.
func scanAll(result pgx.Rows, scan func(*rows.Row)) error {
	defer result.Close()
	var r rows.Row
	for result.Next() {
		fields, raw := result.FieldDescriptions(), result.RawValues()
		if r.Values == nil {
			r.Values = make([]driver.Value, len(raw))
		}
		for i := range raw {
			value, err := decode(fields[i].DataTypeOID, fields[i].Format, raw[i])
			if err != nil {
				return fmt.Errorf("column %s: %w", fields[i].Name, err)
			}
			r.Values[i] = value
		}
		r.Next = 0
		if scan(&r); r.Err != nil {
			return r.Err
		}
	}
	return result.Err()
}

// decode converts a value of the server. The tables have only these types. It is done by hand because a page of recordings has hundreds of
// values: with pgx's own scanning by reflection a page takes twice as long.
func decode(oid uint32, format int16, raw []byte) (driver.Value, error) {
	switch {
	case raw == nil:
		return nil, nil
	case oid == pgtype.TextOID || oid == pgtype.NameOID || oid == pgtype.VarcharOID:
		return string(raw), nil
	case format != pgx.BinaryFormatCode:
	case oid == pgtype.Int8OID && len(raw) == 8:
		return int64(binary.BigEndian.Uint64(raw)), nil
	case oid == pgtype.Int4OID && len(raw) == 4:
		return int64(int32(binary.BigEndian.Uint32(raw))), nil
	case oid == pgtype.Float8OID && len(raw) == 8:
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	case oid == pgtype.BoolOID && len(raw) == 1:
		return raw[0] != 0, nil
	case oid == pgtype.ByteaOID:
		return append([]byte{}, raw...), nil
	}
	return nil, fmt.Errorf("the type %d in format %d is unknown", oid, format)
}
