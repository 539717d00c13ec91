//go:build 386 || mips || mips64 || mips64le || mipsle || wasm

package f64

// emulated says that the compiler has no instruction for math.FMA.
const emulated = true
