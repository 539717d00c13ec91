// The page: what is set, what the worker is asked, what it answers.
"use strict";
const $ = (id) => document.getElementById(id);

// presets make points [x, y, class] in the plane from −1 to 1.
let seed = 0;
function random() { // of Park and Miller, the same points everywhere
	seed = seed * 16807 % 2147483647;
	return seed / 2147483647;
}
const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
const many = (n, f) => Array.from({length: n}, (_, i) => f(i));
const presets = {
	circles: () => many(100, (i) => {
		const k = i % 2, r = (k ? 0.85 : 0.35) + 0.07 * normal(), a = 2 * Math.PI * random();
		return [r * Math.cos(a), r * Math.sin(a), k];
	}),
	spirals: () => many(120, (i) => {
		const k = i % 2, s = 0.08 + 0.92 * (i / 120), a = 3.2 * Math.PI * s + k * Math.PI, r = 0.95 * s;
		return [r * Math.cos(a) + 0.02 * normal(), r * Math.sin(a) + 0.02 * normal(), k];
	}),
	banana: () => many(120, (i) => {
		const k = i % 2, a = Math.PI * random();
		return k ? [0.28 + 0.55 * Math.cos(a) + 0.08 * normal(), 0.25 - 0.7 * Math.sin(a) + 0.08 * normal(), 1]
			: [-0.28 + 0.55 * Math.cos(a) + 0.08 * normal(), -0.25 + 0.7 * Math.sin(a) + 0.08 * normal(), 0];
	}),
};
// The box of points is as wide as the picture is.
function square() {
	const half = 1.2 * $("plane").clientWidth / $("plane").clientHeight;
	return [-half, half, -1.2, 1.2];
}

const state = {
	name: "", points: null, text: null, // points, or the text of a table
	chosen: -1, current: 0, fitted: null, picture: null, box: null,
	dirty: false, live: false, stale: false, idle: 0, busy: false, waiting: null, rate: 4e-9, number: 0, version: 0,
	data: 0, gamma: 0, gammaOf: "", // the γ that was chosen, and of what
	request: 0, // for data, of which the last counts
	fitting: false, asked: null, lost: false, // what the fit was asked, and whether the worker has its model no longer
	runs: 0, // of the worker
};

// The worker.
let worker, module, lanes, isReady;
let ready = new Promise((done) => { isReady = done; });
function startWorker() {
	worker = new Worker("worker.js");
	worker.onmessage = ({data}) => {
		if (data.kind === "ready") isReady();
		else if (data.kind === "plan") expect(data.flops * state.rate);
		else if (data.kind === "progress") progress(data.done, data.of);
		else if (state.waiting && data.id === state.waiting.id) state.waiting.done(data);
	};
	worker.onerror = (e) => state.waiting && state.waiting.done({error: "The worker has ended: " + e.message, ended: true});
	worker.postMessage({kind: "start", module, lanes});
}
async function ask(kind, more) {
	if (kind !== "fit" && state.lost) {
		const again = await ask("fit", state.asked);
		if (again.error || again.stopped) return again;
	}
	const run = state.runs;
	await ready;
	if (run !== state.runs) return {stopped: true};
	const id = ++state.number;
	const answer = await new Promise((done) => {
		state.waiting = {id, done};
		worker.postMessage({...more, kind, id});
	});
	state.waiting = null;
	if (kind === "fit" && !answer.stopped) state.lost = false;
	if (answer.ended) {
		restart();
		unfit(answer.error);
		answer.stopped = true;
	}
	return answer;
}
function restart() {
	worker.terminate(); // and with it goes the model
	state.lost = true;
	state.runs++;
	isReady();
	ready = new Promise((done) => { isReady = done; });
	startWorker();
}
// halt ends what the worker is doing.
function halt() {
	const waiting = state.waiting;
	restart();
	end();
	if (waiting) waiting.done({stopped: true});
}
// unfit shows a text in place of a model, which can be asked for again.
function unfit(error) {
	state.fitted = state.picture = state.field = null;
	show({error}, true);
	const again = say($("said"), "button", "Fit again");
	again.type = "button";
	again.onclick = () => change(false);
	draw();
}
// failed says that the page has a fault, and leaves it as usable as it can be.
function failed(e) {
	end();
	state.fitting = false;
	unfit("This has failed in the page: " + (e && e.message || e));
	if (state.dirty) pump();
}
window.addEventListener("error", (e) => { if (e.error) failed(e.error); }); // the others are notices of the browser
window.addEventListener("unhandledrejection", (e) => failed(e.reason));

// What a long answer shows.
const working = "Working"; // on what is to be kept
let dragging = false, clock = 0, begun = 0, expected = 0;
function begin(what) {
	begun = performance.now();
	expected = 0;
	clearInterval(clock);
	clock = setInterval(() => {
		const seconds = (performance.now() - begun) / 1000;
		if (seconds < 0.7) return;
		if (worker && state.dirty && !state.live && what !== working) return halt(); // for what is asked now
		if ($("busy").hidden && !state.fitted) { // what is shown is of other data
			clean();
			draw();
		}
		$("busy").hidden = false;
		$("words").ariaBusy = "true";
		$("keep").disabled = true;
		if (expected > 0) $("progress").value = Math.min(0.98, seconds / expected);
		$("doing").textContent = `${what}: ${seconds.toFixed(0)} s` + (expected > seconds ? ` of about ${Math.ceil(expected)} s` : "");
	}, 200);
}
function end() {
	clearInterval(clock);
	$("busy").hidden = true;
	$("words").ariaBusy = "false";
	$("keep").disabled = false;
	$("progress").removeAttribute("value");
}
function expect(seconds) { expected = (performance.now() - begun) / 1000 + seconds; }
function progress(done, of) { expected = done ? (performance.now() - begun) / 1000 * of / done : 0; }

// The table that is fitted.
const className = (k) => "abcd"[k];
function tableText() {
	if (!state.points) return state.text;
	return new TextEncoder().encode("x,y,class\n" + state.points.map((p) => `${p.x.toFixed(3)},${p.y.toFixed(3)},${className(p.k)}\n`).join(""));
}
const numberAt = (id) => Number((10 ** Number($(id).value)).toPrecision(3));
function settings(live) {
	const hold = live && state.fitted && !state.fitted.error;
	const own = !state.points, label = own ? $("label").value.trim() : "", missing = own ? $("missing").value : "", kernel = $("kernel").value;
	const of = [state.data, kernel, label, missing].join();
	return {
		name: state.name, label, missing, model: $("model").value, kernel, of,
		gamma: !$("gammaAuto").checked ? numberAt("gamma") : hold ? state.fitted.gamma : of === state.gammaOf ? state.gamma : 0,
		ridge: !$("ridgeAuto").checked ? numberAt("ridge") : hold ? state.fitted.ridge : 0,
	};
}

// change asks for a new fit, changeData to other data; a live one keeps what was chosen before. What is asked while
// the worker is busy is asked when it is done, once.
function change(live) {
	state.live = live && (state.live || !state.dirty);
	state.dirty = true;
	clearTimeout(state.idle);
	state.idle = 0;
	state.version++;
	$("validation").replaceChildren();
	if (state.points) draw();
	pump();
}
function changeData(live) {
	state.data++;
	change(live);
}
function refresh() { // of the picture alone
	state.stale = true;
	draw();
	pump();
}
async function pump() {
	if (state.busy) return;
	state.busy = true;
	try {
		while (state.dirty || state.stale) {
			if (state.dirty) await fit();
			else {
				state.stale = false;
				await paint(72, true);
				if (!state.stale && !state.dirty && state.field && state.field.seconds < 0.15) await paint(120, true);
			}
		}
	} finally {
		state.busy = false;
	}
	document.body.dataset.version = state.version; // that all is shown of
}
async function fit() {
	state.dirty = false;
	const live = state.live, text = tableText(), asked = settings(live);
	begin("Fitting " + state.name);
	state.fitting = true;
	state.asked = {...asked, text};
	const answer = await ask("fit", state.asked);
	state.fitting = false;
	end();
	if (answer.stopped || state.dirty && !(live && state.live)) return;
	state.fitted = answer;
	if (answer.error) {
		state.picture = state.field = null;
	} else {
		if (!live && $("gammaAuto").checked) [state.gamma, state.gammaOf] = [answer.gamma, asked.of];
		if (!state.points) state.box = answer.box;
		if (asked.gamma > 0 && answer.flops > 5e7) state.rate = answer.seconds / answer.flops;
		await paint(live ? 24 : 40, false);
		if (!state.fitted) return;
	}
	show(answer, live);
	draw();
	clearTimeout(state.idle);
	state.idle = 0;
	if (!live) state.stale = true;
	else state.idle = setTimeout(() => {
		state.idle = 0;
		if (dragging) refresh();
		else change(false);
	}, 300);
}
async function paint(places, fine) {
	const f = state.fitted;
	if (!f || f.error || state.lost) return;
	state.field = null;
	if (!f.plane && f.directions !== 2) {
		state.picture = null;
		return;
	}
	$("plane").hidden = false;
	const w = $("plane").clientWidth, h = $("plane").clientHeight;
	if (state.points) state.box = square();
	if (w === 0 || h === 0) return;
	if (!f.plane) places *= 3; // of classes alone, which cost little
	const field = await ask("field", {box: state.box, columns: places, rows: Math.round(places * h / w)});
	if (field.stopped || field.error) return;
	state.picture = regions(field, f.classes.length, fine ? w : w >> 1, fine ? h : h >> 1);
	state.field = field;
	draw();
}

// What is shown.
function pointsShown() {
	const f = state.fitted;
	if (state.points) return state.points;
	if (!f || f.error) return [];
	const from = f.plane ? f.x : f.z, wide = f.plane ? 2 : f.shown;
	if (wide < 2) return [];
	return f.class.map((k, i) => ({x: from[i * wide], y: from[i * wide + 1], k, wrong: f.wrong && f.wrong[i]}));
}
function draw() {
	const f = state.fitted, ok = f && !f.error;
	const names = state.points ? ["x", "y"] : ok && f.plane ? [f.names[0] || "column 1", f.names[1] || "column 2"] : ["direction 1", "direction 2"];
	$("plane").hidden = !state.points && state.text && (!ok || !f.plane && f.shown < 2);
	if (state.points) state.box = square();
	if (!$("plane").hidden && state.box) drawPlane($("plane"), state.box, pointsShown(), state.picture, state.points ? state.chosen : -1, names);
	$("densities").hidden = !ok;
	if (!ok) return;
	const first = f.class.map((_, i) => f.z[i * f.shown]);
	drawDensities($("densities"), first, f.class, f.classes.length);
}
function say(parent, tag, text, className) {
	const e = document.createElement(tag);
	e.textContent = text;
	if (className) e.className = className;
	parent.append(e);
	return e;
}

// controls are those of the page that do what flags of the command do.
const controls = {"--label": "Label column", "--missing": "Missing cells", "--model": "Model", "--kernel": "Kernel", "--gamma": "γ", "--relative-ridge": "Ridge, relative", "--C": "C"};
function advice(text) {
	const flags = [...new Set(text.match(/--[a-zA-Z][a-z-]*/g))], there = flags.filter((f) => !controls[f]);
	const lines = flags.filter((f) => controls[f]).map((f) => `${f} is “${controls[f]}” on this page.`);
	if (there.length > 0) lines.push(`${there.join(", ")}: of the command kfda, in a terminal.`);
	return lines.join(" ");
}
const significant = (v) => v === 0 ? "none" : Number(v.toPrecision(3)).toString();
// clean shows nothing of a model.
function clean() {
	$("said").replaceChildren();
	$("result").hidden = true;
	$("shown").textContent = state.name;
	for (const id of ["command", "hash", "caption", "densityCaption", "status"]) $(id).textContent = "";
	if (!state.points) $("classes").hidden = true;
}
function show(f, live) {
	const said = $("said");
	said.replaceChildren();
	$("result").hidden = false;
	$("shown").textContent = state.name;
	if (f.error) {
		clean();
		say(said, "p", f.error, "warning");
		if (advice(f.error)) say(said, "p", advice(f.error));
		return;
	}
	for (const w of f.warnings) say(said, "p", w, "warning");
	for (const s of [...f.said, ...(state.points ? [] : f.notices.map((n) => n.replace("; --", "; in a terminal --")))]) say(said, "p", s);
	$("command").textContent = f.command;
	$("hash").textContent = f.hash;
	if ($("gammaAuto").checked && f.gamma > 0) $("gamma").value = Math.log10(f.gamma);
	if ($("ridgeAuto").checked && f.ridge > 0) $("ridge").value = Math.log10(f.ridge);
	texts();
	let regions = state.field && state.field.probable ? "Colours: the most probable class, stronger where it is surer; lines where it changes." : "Colours: the class that the model says; lines where it changes.";
	let of = "";
	if (f.wrong) {
		const wrong = f.wrong.filter((w) => w).length;
		of = `The first 2 of ${f.directions} directions. The class depends on the others too, so no regions are painted. `;
		regions = wrong ? `A ring is around each row that the model takes for another class: ${wrong} of ${f.wrong.length}.` : "The model takes no row for another class.";
	} else if (!f.plane && f.directions === 2) of = "The two directions that the model found. ";
	$("caption").textContent = f.plane || f.directions > 1 ? of + regions : "One direction: its densities are the picture.";
	$("densityCaption").textContent = "Densities of the classes along the first direction, of the rows that the fit has seen.";
	if (!state.points) legend(f.classes, false);
	if (!live) $("status").textContent = `Fitted ${f.class.length} rows in ${f.seconds.toFixed(2)} s.`;
}
function texts() {
	const f = state.fitted, model = $("model").value, kernel = $("kernel").value, lda = model === "lda";
	const width = !lda && ["rbf", "laplacian", "poly"].includes(kernel);
	$("kernel").disabled = lda;
	$("gamma").disabled = $("gammaAuto").disabled = !width;
	$("ridge").disabled = $("ridgeAuto").disabled = model === "kpca";
	$("ridgeName").textContent = model === "svm" ? "C" : "Ridge, relative";
	$("gammaChoice").textContent = kernel === "poly" ? "default" : "choose for me";
	$("ridgeChoice").textContent = {svm: "default", lda: "none"}[model] || "choose for me";
	$("gammaText").textContent = !width ? "none" : $("gammaAuto").checked ? (f && !f.error ? significant(f.gamma) : "") : numberAt("gamma");
	const free = model === "svm" ? "1" : f && !f.error ? significant(f.ridge) : "";
	$("ridgeText").textContent = model === "kpca" ? "none" : $("ridgeAuto").checked ? free : numberAt("ridge");
}

// legend lists the classes, as choices of that of new points where points can be set.
function legend(names, choices) {
	const box = $("classes");
	box.hidden = false;
	box.querySelectorAll("label, span").forEach((e) => e.remove());
	names.slice(0, 24).forEach((name, k) => {
		const label = say(box, "label", "");
		if (choices) {
			const radio = document.createElement("input");
			radio.type = "radio";
			radio.name = "class";
			radio.checked = k === state.current;
			radio.onchange = () => { state.current = k; };
			label.append(radio);
		}
		const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(svg.namespaceURI, "path");
		svg.setAttribute("viewBox", "-1.4 -1.4 2.8 2.8");
		svg.setAttribute("aria-hidden", "true");
		path.setAttribute("d", shapeOf(k));
		path.setAttribute("fill", colourOf(k));
		svg.append(path);
		label.append(svg, name);
	});
	if (names.length > 24) say(box, "span", `and ${names.length - 24} more`);
}

// Data.
function mode(points) {
	state.chosen = -1;
	dragging = false;
	state.fitted = state.picture = state.field = null;
	$("edit").hidden = $("keys").hidden = !points;
	$("plane").classList.toggle("still", !points);
	$("plane").tabIndex = points ? 0 : -1;
	$("plane").setAttribute("role", points ? "application" : "img");
	document.querySelectorAll("#presets button").forEach((b) => b.setAttribute("aria-pressed", b.value + ".csv" === state.name));
}
async function usePreset(name) {
	if (name === "iris") {
		await useLater("iris.csv", fetch("iris.csv"), true);
		return;
	}
	state.request++;
	state.name = name + ".csv";
	seed = 20;
	state.points = presets[name]().map(([x, y, k]) => ({x: Number(x.toFixed(3)), y: Number(y.toFixed(3)), k}));
	state.text = null;
	state.current = 0;
	legend(["a", "b", "c", "d"], true);
	mode(true);
	changeData(false);
}
function useTable(name, bytes) {
	state.request++;
	state.name = name;
	state.points = null;
	state.text = bytes;
	mode(false);
	changeData(false);
}
// useLater opens a table that has to be read first, unless other data are asked for until then.
async function useLater(name, source, preset) {
	const request = ++state.request, bytes = new Uint8Array(await (await source).arrayBuffer());
	if (request !== state.request) return;
	if (preset) $("label").value = $("missing").value = "";
	useTable(name, bytes);
}

// Points by pointer and keys.
function placeOf(e) {
	const box = $("plane").getBoundingClientRect();
	const u = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width)), v = Math.min(1, Math.max(0, (e.clientY - box.top) / box.height));
	const [left, right, bottom, top] = square();
	return {x: left + u * (right - left), y: top - v * (top - bottom)};
}
function nearest(p, e) {
	const box = $("plane").getBoundingClientRect(), reach = e.pointerType === "touch" ? 22 : 12;
	let best = -1, least = reach;
	state.points.forEach((o, i) => {
		const d = Math.hypot(o.x - p.x, o.y - p.y) / 2.4 * box.height;
		if (d <= least) [best, least] = [i, d];
	});
	return best;
}
function rounded(p) {
	const [left, right, bottom, top] = square();
	return {...p, x: Number(Math.min(right, Math.max(left, p.x)).toFixed(3)), y: Number(Math.min(top, Math.max(bottom, p.y)).toFixed(3))};
}
function tell(i) {
	const p = state.points[i];
	if (p) $("status").textContent = `Point ${i + 1} of ${state.points.length}, class ${className(p.k)}, x ${p.x}, y ${p.y}.`;
}
function addPoint(p) {
	state.points.push(rounded({...p, k: state.current}));
	state.chosen = state.points.length - 1;
}
function removeChosen() {
	if (!state.points || !state.points[state.chosen]) return;
	dragging = false;
	state.points.splice(state.chosen, 1);
	state.chosen = Math.min(state.chosen, state.points.length - 1);
	changeData(false);
}
function setUpPlane() {
	const plane = $("plane");
	plane.onpointerdown = (e) => {
		if (!state.points || e.button !== 0) return;
		const p = placeOf(e), hit = nearest(p, e);
		plane.setPointerCapture(e.pointerId);
		dragging = true;
		state.chosen = hit;
		if (hit < 0) {
			addPoint(p);
			changeData(true);
		}
		draw();
	};
	plane.onpointermove = (e) => {
		if (!dragging) return;
		state.points[state.chosen] = rounded({...state.points[state.chosen], ...placeOf(e)});
		changeData(true);
	};
	plane.onpointerup = plane.onpointercancel = () => {
		if (!dragging) return;
		dragging = false;
		tell(state.chosen);
		changeData(false);
	};
	plane.onkeydown = (e) => {
		if (!state.points || e.ctrlKey || e.metaKey || e.altKey) return;
		const n = state.points.length, step = e.shiftKey ? 0.1 : 0.02;
		const move = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}[e.key];
		const p = state.points[state.chosen];
		if (move && p) {
			state.points[state.chosen] = rounded({...p, x: p.x + move[0], y: p.y + move[1]});
			changeData(true);
		} else if ("nNpP".includes(e.key) && n > 0) {
			state.chosen = (state.chosen + ("nN".includes(e.key) ? 1 : n - (state.chosen < 0 ? 0 : 1))) % n;
			draw();
		} else if (e.key === "Enter") {
			addPoint(p ? {x: p.x + 0.1, y: p.y} : {x: 0, y: 0});
			changeData(true);
		} else if ("1234".includes(e.key) && p) {
			p.k = Number(e.key) - 1;
			changeData(false);
		} else if (e.key === "Delete" || e.key === "Backspace") {
			removeChosen();
		} else {
			return;
		}
		dragging = false;
		e.preventDefault();
		tell(state.chosen);
	};
}

// Results to keep.
function save(name, bytes) {
	const a = document.createElement("a");
	a.href = URL.createObjectURL(new Blob([bytes], {type: "application/octet-stream"}));
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
const stem = () => (state.asked || state).name.replace(/\.csv$/, ""); // of what is fitted
async function askWhenFree(kind) {
	const run = state.runs;
	while (state.busy) await new Promise((done) => setTimeout(done, 50));
	if (run !== state.runs || !state.fitted || state.fitted.error) return {stopped: true}; // what was stopped is not done later
	state.busy = true;
	try {
		begin({validate: "Cross-validating"}[kind] || working);
		return await ask(kind, {});
	} finally {
		end();
		state.busy = false;
		if (state.dirty || state.stale) pump();
	}
}
async function keep(kind, tail) {
	const name = stem() + tail, answer = await askWhenFree(kind);
	if (answer.bytes) save(name, answer.bytes);
	else if (answer.error) say($("validation"), "p", answer.error, "warning");
}
async function validate() {
	const version = state.version, v = await askWhenFree("validate"), box = $("validation"), f = state.fitted;
	if (v.stopped || version !== state.version) return;
	box.replaceChildren();
	if (v.error) return say(box, "p", v.error, "warning");
	const width = ["rbf", "laplacian"].includes($("kernel").value) && $("gammaAuto").checked && f.gamma > 0;
	say(box, "h3", "Cross-validation");
	say(box, "p", `In ${v.folds} folds, each row by a fit without it: ${v.errors} of ${v.rows} rows wrong, accuracy ${(1 - v.errors / v.rows).toFixed(4)}.` +
		(width ? " But γ was chosen by these rows too, so new rows may do worse." : "") + " In a terminal:");
	say(box, "pre", v.command);
	const wide = say(box, "div", "", "wide"), table = say(wide, "table", ""), head = say(say(table, "thead", ""), "tr", ""), body = say(table, "tbody", "");
	wide.tabIndex = 0;
	wide.setAttribute("role", "region");
	wide.setAttribute("aria-label", "Confusion matrix");
	table.prepend(Object.assign(document.createElement("caption"), {textContent: "Rows by class, columns by the class that the model says", className: "small"}));
	say(head, "td", "");
	for (const c of v.classes) say(head, "th", c).scope = "col";
	v.classes.forEach((c, i) => {
		const row = say(body, "tr", "");
		say(row, "th", c).scope = "row";
		v.classes.forEach((_, j) => say(row, "td", v.confusion[i * v.classes.length + j], i === j ? "right" : ""));
	});
}

function setUp() {
	for (const name of [...Object.keys(presets), "iris"]) {
		const b = say($("presets"), "button", name);
		b.type = "button";
		b.value = name;
		b.onclick = () => usePreset(name);
	}
	setUpPlane();
	for (const id of ["model", "kernel", "gammaAuto", "ridgeAuto"]) {
		$(id).onchange = () => {
			texts();
			change(false);
		};
	}
	for (const id of ["gamma", "ridge"]) {
		$(id).oninput = () => {
			$(id + "Auto").checked = false;
			texts();
			change(true);
		};
	}
	for (const id of ["label", "missing"]) $(id).onchange = () => { if (!state.points) change(false); };
	$("remove").onclick = removeChosen;
	$("clear").onclick = () => {
		state.request++;
		state.points = [];
		mode(true);
		changeData(false);
	};
	$("file").onclick = () => { $("file").value = ""; }; // so that the same file can be chosen again
	$("file").onchange = () => {
		const f = $("file").files[0];
		if (f) return useLater(f.name, f);
	};
	$("use").onclick = () => useTable("pasted.csv", new TextEncoder().encode($("paste").value));
	$("controls").onsubmit = (e) => e.preventDefault();
	$("stop").onclick = () => {
		if (!worker) return; // it is loading
		halt();
		if (state.fitting) {
			state.dirty = state.stale = false;
			unfit("Stopped.");
		} else {
			$("validation").textContent = "Stopped. The model stays as it is.";
		}
	};
	$("saveModel").onclick = () => keep("model", ".kfda");
	$("savePredictions").onclick = () => keep("predict", "-predicted.csv");
	$("saveTable").onclick = () => save(state.name, tableText());
	$("validate").onclick = validate;
	matchMedia("(prefers-color-scheme: dark)").onchange = refresh;
	new ResizeObserver(refresh).observe($("plane"));
}

// load fetches the program; a server may have undone its compression.
async function load() {
	if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
		throw new Error("This browser has no WebAssembly, or an old one; the command kfda does the same in a terminal.");
	}
	let [bytes, two] = await Promise.all(["kfda.wasm.gz", "lanes.wasm"].map(async (name) => {
		const answer = await fetch(name);
		if (!answer.ok) throw new Error("The program of the page can't be had: " + answer.status);
		return answer.arrayBuffer();
	}));
	if (new Uint8Array(bytes)[0] === 0x1f) bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
	module = await WebAssembly.compile(bytes);
	if (WebAssembly.validate(two)) lanes = await WebAssembly.compile(two); // else the browser has none, and the program does without
	startWorker();
}
setUp();
load().then(() => state.request || usePreset("circles")).catch((e) => {
	$("problem").textContent = e.message;
	$("problem").hidden = false;
	document.querySelector("main").hidden = true;
});
