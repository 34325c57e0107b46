// Package rows says how the rows of the engine are stored in tables of columns: the columns of each noun, and the format of values that are
// not one number or text. Stores on SQL databases share it. A column is in one place, so that adding one touches one file and a migration
// of each store.
package rows
