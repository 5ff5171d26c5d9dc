package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A taggedField is a field of a kind, below which nothing or not everything may change as its types say.
type taggedField struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Field      string   `json:"field"`
	Tags       []string `json:"tags"`
}

// What declarative validation says of updates, whatever stands before it: a stage, a gate, a part of the field.
var immutabilityTag = regexp.MustCompile(`^\+k8s:(.*\+k8s:)?(immutable|update=\w+)$`)

func runTags(ctx context.Context, args []string) error {
	flags := newFlags("tags")
	version := flags.String("kubernetes", "", "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	programs, err := choosePrograms(*version)
	if err != nil {
		return err
	}
	folder, err := filepath.Rel(sourceFolder(), programs.kubernetes.folder)
	if err != nil {
		return err
	}
	api, err := definition{folder: folder, path: "k8s.io/api"}.download(ctx)
	if err != nil {
		return err
	}
	fields, err := taggedFields(api)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(fields)
}

// A declaredType is one that a file of k8s.io/api declares.
type declaredType struct {
	pkg     string // below k8s.io/api: apps/v1
	spec    *ast.TypeSpec
	tags    []string
	imports map[string]string // a package below k8s.io/api by its name in the file
}

// taggedFields goes through all kinds of v1 in a folder with k8s.io/api, in the order of their names and then of their fields.
func taggedFields(api string) ([]taggedField, error) {
	files, err := filepath.Glob(filepath.Join(api, "*", "v1", "*.go"))
	if err != nil {
		return nil, err
	}
	types := map[string]declaredType{}
	groups := map[string]string{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		pkg := filepath.Base(filepath.Dir(filepath.Dir(path))) + "/v1"
		declare(file, pkg, types, groups)
	}
	fields := []taggedField{}
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		kind := types[name]
		if !isKind(kind) {
			continue
		}
		group := groups[kind.pkg]
		found := taggedField{APIVersion: strings.TrimPrefix(group+"/v1", "/"), Kind: kind.spec.Name.Name}
		walk(types, kind, "", nil, func(path string, tags []string) {
			found.Field, found.Tags = path, tags
			fields = append(fields, found)
		})
	}
	return fields, nil
}

// declare takes the types of a file, and the name of the group if it is there.
func declare(file *ast.File, pkg string, types map[string]declaredType, groups map[string]string) {
	imports := map[string]string{}
	for _, each := range file.Imports {
		path := strings.Trim(each.Path.Value, `"`)
		if below, isAPI := strings.CutPrefix(path, "k8s.io/api/"); isAPI {
			name := filepath.Base(path)
			if each.Name != nil {
				name = each.Name.Name
			}
			imports[name] = below
		}
	}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				types[pkg+"."+spec.Name.Name] = declaredType{pkg, spec, tagsIn(general.Doc, spec.Doc), imports}
			case *ast.ValueSpec:
				if literal, ok := firstValue(spec).(*ast.BasicLit); ok && spec.Names[0].Name == "GroupName" {
					groups[pkg] = strings.Trim(literal.Value, `"`)
				}
			}
		}
	}
}

func firstValue(spec *ast.ValueSpec) ast.Expr {
	if len(spec.Values) == 0 {
		return nil
	}
	return spec.Values[0]
}

// tagsIn finds the tags in comments.
func tagsIn(comments ...*ast.CommentGroup) []string {
	var tags []string
	for _, group := range comments {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			if text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")); immutabilityTag.MatchString(text) {
				tags = append(tags, text)
			}
		}
	}
	return tags
}

// isKind tells whether there are objects of the type by themselves.
func isKind(declared declaredType) bool {
	structure, ok := declared.spec.Type.(*ast.StructType)
	return ok && embeds(structure, "TypeMeta") && embeds(structure, "ObjectMeta")
}

func embeds(structure *ast.StructType, name string) bool {
	return slices.ContainsFunc(structure.Fields.List, func(field *ast.Field) bool {
		selector, ok := field.Type.(*ast.SelectorExpr)
		return ok && len(field.Names) == 0 && selector.Sel.Name == name
	})
}

// walk goes through the fields of a type and of the types of those, except status, which others than manifests write.
func walk(types map[string]declaredType, declared declaredType, path string, above []*ast.TypeSpec, found func(string, []string)) {
	structure, ok := declared.spec.Type.(*ast.StructType)
	if !ok || slices.Contains(above, declared.spec) {
		return
	}
	above = append(slices.Clip(above), declared.spec)
	for _, field := range structure.Fields.List {
		name, options, _ := strings.Cut(jsonName(field), ",")
		place := path
		if name != "" && name != "-" {
			place = strings.TrimPrefix(path+"."+name, ".")
		} else if options != "inline" {
			continue
		}
		if place == "status" {
			continue
		}
		tags := tagsIn(field.Doc, field.Comment)
		named, steps := typeName(field.Type, declared)
		next, isDeclared := types[named]
		if isDeclared && steps == "" {
			tags = append(tags, next.tags...)
		}
		if len(tags) > 0 {
			found(place, tags)
		}
		if isDeclared {
			if steps != "" && len(next.tags) > 0 {
				found(place+steps, next.tags)
			}
			walk(types, next, place+steps, above, found)
		}
	}
}

func jsonName(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
}

// typeName says what a field is made of, as pkg.Name, and what leads to it: [*] for an item.
func typeName(expression ast.Expr, in declaredType) (name, steps string) {
	switch expression := expression.(type) {
	case *ast.StarExpr:
		return typeName(expression.X, in)
	case *ast.ArrayType:
		name, steps = typeName(expression.Elt, in)
		return name, "[*]" + steps
	case *ast.MapType:
		name, steps = typeName(expression.Value, in)
		return name, "[*]" + steps
	case *ast.SelectorExpr:
		return fmt.Sprintf("%s.%s", in.imports[fmt.Sprint(expression.X)], expression.Sel.Name), ""
	case *ast.Ident:
		return in.pkg + "." + expression.Name, ""
	}
	return "", ""
}
