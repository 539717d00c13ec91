//go:build !(386 || mips || mips64 || mips64le || mipsle || wasm)

package f64

const emulated = false
