//go:build race

package discriminant

const raceEnabled = true // sync.Pool then drops some of what it is given
