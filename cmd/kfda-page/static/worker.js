// Runs the program in a thread of its own, so that the page never waits.
"use strict";
importScripts("wasm_exec.js");

onmessage = async ({data}) => {
	if (data.kind === "start") {
		const go = new Go();
		let lanes;
		go.importObject.lanes = {
			tile: (op, c, ldc, a, b, k, load) => lanes.tile(op, c, ldc, a, b, k, load),
			doubled: (s, c, a, lda, b, ldb, k, groups) => lanes.doubled(s, c, a, lda, b, ldb, k, groups),
			exp: (x, n, data) => lanes.exp(x, n, data),
		};
		const program = await WebAssembly.instantiate(data.module, go.importObject);
		// The program hands over what it is to call, which a browser may be too old for.
		self.addLanes = (bytes) => {
			if (!WebAssembly.validate(bytes)) return false;
			lanes = new WebAssembly.Instance(new WebAssembly.Module(bytes), {go: program.exports}).exports;
			return true;
		};
		go.run(program);
		return;
	}
	const start = performance.now();
	let answer;
	try {
		answer = self[data.kind](data) ?? {error: "The program has ended.", ended: true};
	} catch (e) {
		answer = {error: "The program has ended: " + e.message, ended: true};
	}
	postMessage({...answer, kind: "answer", id: data.id, seconds: (performance.now() - start) / 1000});
};
