// Runs the program in a thread of its own, so that the page never waits.
"use strict";
importScripts("wasm_exec.js");

onmessage = async ({data}) => {
	if (data.kind === "start") {
		const go = new Go();
		go.run(await WebAssembly.instantiate(data.module, go.importObject));
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
