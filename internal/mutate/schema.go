package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// The file that selects a mutant at run time, by the variable of selectVariable.
const selector = `package %s

import (
	"os"
	"strconv"
)

var mutant__, _ = strconv.Atoi(os.Getenv("` + selectVariable + `"))
`

const selectVariable = "SOUNDSTAGE_MUTANT"

// schema returns the text of the file with a changed copy of a function for each mutant, at the end of the file. The function calls the
// copy of the selected mutant. It also notes which lines belong to the copy of which mutant. Mutants outside functions aren't in it.
func (s *source) schema(at map[position]*mutant) string {
	offset := func(p token.Pos) int { return s.fset.Position(p).Offset }
	inserts := map[int]string{}
	cases := map[*ast.FuncDecl]string{}
	line := strings.Count(s.text, "\n") + 1
	var b strings.Builder
	for _, m := range s.mutants {
		if m.fn == nil {
			continue
		}
		text := "\n\n" + copyOf(s.text, m, offset)
		b.WriteString(text)
		for range strings.Count(text, "\n") {
			line++
			at[position{s.name, line}] = m
		}
		arguments, receiver := names(m.fn, offset, inserts)
		call := fmt.Sprintf("%s%s%s(%s)", receiver, m.name(), typeArguments(m.fn), arguments)
		if m.fn.Type.Results == nil {
			cases[m.fn] += fmt.Sprintf("case %d: %s; return; ", m.id, call)
		} else {
			cases[m.fn] += fmt.Sprintf("case %d: return %s; ", m.id, call)
		}
	}
	for fn, text := range cases {
		inserts[offset(fn.Body.Lbrace)+1] = " switch mutant__ { " + text + "}; "
	}
	return insert(s.text, inserts) + b.String() + "\n"
}

func (m *mutant) name() string { return fmt.Sprintf("%s__%d", m.fn.Name.Name, m.id) }

// copyOf returns the changed copy of a mutant's function, under a name of its own.
func copyOf(src string, m *mutant, offset func(token.Pos) int) string {
	begin, name, end := offset(m.fn.Pos()), offset(m.fn.Name.Pos()), offset(m.fn.End())
	if m.fn.Doc != nil {
		begin = offset(m.fn.Type.Func)
	}
	return src[begin:name] + m.name() + src[name+len(m.fn.Name.Name):m.from] + m.with + src[m.to:end]
}

// names returns the arguments that pass a function's parameters on, and the prefix of a method call. It gives names to parameters that
// have none.
func names(fn *ast.FuncDecl, offset func(token.Pos) int, inserts map[int]string) (arguments, receiver string) {
	var all []string
	for _, field := range fn.Type.Params.List {
		all = append(all, fieldNames(field, len(all), offset, inserts)...)
	}
	if last := len(all) - 1; last >= 0 {
		if _, variadic := fn.Type.Params.List[len(fn.Type.Params.List)-1].Type.(*ast.Ellipsis); variadic {
			all[last] += "..."
		}
	}
	if fn.Recv != nil {
		receiver = fieldNames(fn.Recv.List[0], 1000, offset, inserts)[0] + "."
	}
	return strings.Join(all, ", "), receiver
}

func fieldNames(field *ast.Field, first int, offset func(token.Pos) int, inserts map[int]string) (all []string) {
	if len(field.Names) == 0 {
		name := fmt.Sprintf("p%d__", first)
		inserts[offset(field.Type.Pos())] = name + " "
		return []string{name}
	}
	for i, n := range field.Names {
		name := n.Name
		if name == "_" { // becomes part of the new name
			inserts[offset(n.Pos())] = fmt.Sprintf("p%d_", first+i)
			name = fmt.Sprintf("p%d__", first+i)
		}
		all = append(all, name)
	}
	return all
}

func typeArguments(fn *ast.FuncDecl) string {
	if fn.Type.TypeParams == nil {
		return ""
	}
	var all []string
	for _, field := range fn.Type.TypeParams.List {
		for _, n := range field.Names {
			all = append(all, n.Name)
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// insert returns a text with further texts at offsets.
func insert(src string, inserts map[int]string) string {
	var b strings.Builder
	for i := range len(src) {
		b.WriteString(inserts[i])
		b.WriteByte(src[i])
	}
	return b.String()
}
