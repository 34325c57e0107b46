package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// mutant is one small change of a file: the text between two offsets is replaced.
type mutant struct {
	id       int
	file     string // base name
	line     int
	text     string // the line, without indentation
	from, to int    // offsets in the file
	with     string
	what     string        // the change, for people
	fn       *ast.FuncDecl // nil outside functions
}

// finder collects the mutants of one file.
type finder struct {
	name  string
	fset  *token.FileSet
	src   string
	fn    *ast.FuncDecl
	found []*mutant
}

// swaps are the operators that replace others.
var swaps = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="}, token.INC: {"--"}, token.DEC: {"++"},
}

// find returns the mutants of a file in the order of the source.
func find(fset *token.FileSet, name, src string, file *ast.File) []*mutant {
	f := &finder{name: name, fset: fset, src: src}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			if d.Tok != token.CONST && d.Tok != token.VAR {
				continue
			}
			f.fn = nil
			f.walk(d, nil)
		case *ast.FuncDecl:
			if d.Body == nil || d.Name.Name == "_" {
				continue
			}
			f.fn = d
			f.early(d)
			f.walk(d.Body, d.Type)
		}
	}
	return f.found
}

// walk finds the mutants under a node of a function with this type.
func (f *finder) walk(root ast.Node, function *ast.FuncType) {
	ast.Inspect(root, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncLit:
			f.walk(n.Body, n.Type)
			return false
		case *ast.BinaryExpr:
			f.operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			f.operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			f.operator(n.TokPos, n.Tok)
		case *ast.IfStmt:
			f.replace(n.Cond.Pos(), n.Cond.End(), "!("+f.source(n.Cond)+")", "")
		case *ast.ReturnStmt:
			f.noError(n, function)
		case *ast.BlockStmt:
			f.drop(n.List)
		case *ast.CaseClause:
			f.drop(n.Body)
		case *ast.CommClause:
			f.drop(n.Body)
		case *ast.BasicLit:
			if n.Kind == token.INT || n.Kind == token.FLOAT {
				f.replace(n.Pos(), n.End(), "("+n.Value+"+1)", "")
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				f.replace(n.Pos(), n.End(), other, "")
			}
		}
		return true
	})
}

func (f *finder) operator(at token.Pos, op token.Token) {
	for _, other := range swaps[op] {
		f.replace(at, at+token.Pos(len(op.String())), other, "")
	}
}

// drop removes each call and each assignment of a list of statements.
func (f *finder) drop(list []ast.Stmt) {
	for _, s := range list {
		assign, _ := s.(*ast.AssignStmt)
		_, call := s.(*ast.ExprStmt)
		if call || assign != nil && assign.Tok != token.DEFINE {
			f.replace(s.Pos(), s.End(), "", "drop "+f.source(s))
		}
	}
}

// noError makes a return statement return nil instead of an error.
func (f *finder) noError(n *ast.ReturnStmt, function *ast.FuncType) {
	if function == nil || function.Results == nil || len(n.Results) == 0 || len(n.Results) != function.Results.NumFields() {
		return
	}
	last := n.Results[len(n.Results)-1]
	if f.source(function.Results.List[len(function.Results.List)-1].Type) == "error" && f.source(last) != "nil" {
		f.replace(last.Pos(), last.End(), "nil", "")
	}
}

// early makes a function return zero values at once.
func (f *finder) early(d *ast.FuncDecl) {
	var zero []string
	if d.Type.Results != nil {
		for _, field := range d.Type.Results.List {
			for range max(1, len(field.Names)) {
				zero = append(zero, "*new("+f.source(field.Type)+")")
			}
		}
	}
	f.replace(d.Body.Lbrace+1, d.Body.Lbrace+1, " return "+strings.Join(zero, ", ")+";", "return zero values at once")
}

func (f *finder) source(n ast.Node) string {
	return f.src[f.offset(n.Pos()):f.offset(n.End())]
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// replace adds a mutant.
func (f *finder) replace(from, to token.Pos, with, what string) {
	m := &mutant{file: f.name, line: f.fset.Position(from).Line, from: f.offset(from), to: f.offset(to), with: with, what: what, fn: f.fn}
	if what == "" {
		m.what = f.src[m.from:m.to] + " → " + with
	}
	m.what = strings.Join(strings.Fields(m.what), " ")
	begin := strings.LastIndex(f.src[:m.from], "\n") + 1
	line, _, _ := strings.Cut(f.src[begin:], "\n")
	m.text = strings.TrimSpace(line)
	f.found = append(f.found, m)
}
