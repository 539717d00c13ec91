// Runs the program in a thread of its own, so that the page never waits.
"use strict";
importScripts("wasm_exec.js");

onmessage = async ({data}) => {
	if (data.kind === "start") {
		const go = new Go(), names = ["tile", "doubled", "exp"];
		let lanes;
		go.importObject.lanes = Object.fromEntries(names.map((name) => [name, (...args) => lanes[name](...args)]));
		const program = await WebAssembly.instantiate(data.module, go.importObject);
		if (data.lanes) lanes = (await WebAssembly.instantiate(data.lanes, {go: program.exports})).exports; // in the same memory
		self.hasLanes = !!lanes;
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
