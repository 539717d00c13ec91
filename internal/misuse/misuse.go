// Package misuse says what is wrong where only a mistake in the program can be.
package misuse

import "reflect"

// NotNil panics where one of the arguments of a function, each after its name, is nil.
func NotNil(function string, arguments ...any) {
	for i := 1; i < len(arguments); i += 2 {
		if isNil(arguments[i]) {
			panic(function + ": " + arguments[i-1].(string) + " is nil")
		}
	}
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Func:
		return r.IsNil()
	}
	return false
}
