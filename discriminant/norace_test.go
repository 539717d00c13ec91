//go:build !race

package discriminant

const raceEnabled = false
