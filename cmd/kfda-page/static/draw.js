// Draws what the program says: regions, points and densities.
"use strict";

// The colours of Okabe and Ito, and shapes of radius 1.
const colours = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#808080", "#b8a000"];
const shapes = [
	"M-1,0A1,1 0 1 1 1,0A1,1 0 1 1-1,0Z", "M-.9-.9H.9V.9H-.9Z", "M0-1.15L1.1.85H-1.1Z", "M0-1.3L1.1 0L0 1.3L-1.1 0Z",
	"M0 1.15L1.1-.85H-1.1Z", "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z", "M0-1.2L1.14-.37L.7.97H-.7L-1.14-.37Z",
];
const dashes = [[], [8, 4], [2, 3], [9, 3, 2, 3], [14, 5], [4, 2, 1, 2]];
const colourOf = (k) => colours[k % colours.length];
const shapeOf = (k) => shapes[k % shapes.length];
const paths = shapes.map((s) => new Path2D(s));
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.length === 4 ? hex[(i + 1) / 2].repeat(2) : hex.slice(i, i + 2), 16));

// fitted sizes a canvas to the pixels of the screen and returns how to draw on it in those of the page.
function canvasOf(canvas) {
	const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
	const w = canvas.clientWidth, h = canvas.clientHeight;
	if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
		canvas.width = Math.round(w * ratio);
		canvas.height = Math.round(h * ratio);
	}
	const c = canvas.getContext("2d");
	c.setTransform(ratio, 0, 0, ratio, 0, 0);
	c.clearRect(0, 0, w, h);
	return {c, w, h, box};
}

// regions paints the values of a field, which it interpolates, on a canvas of w×h of its own; probabilities by
// their logarithms, in which borders are smooth.
function regions(field, classes, w, h) {
	const {columns, rows, probable} = field, values = probable ? field.values.map((p) => Math.log(Math.max(p, 1e-300))) : field.values;
	const picture = new OffscreenCanvas(w, h), c = picture.getContext("2d"), image = c.createImageData(w, h);
	const back = channels(css("--back")), ink = channels(css("--ink")), tint = Array.from({length: classes}, (_, k) => channels(colourOf(k)));
	const best = new Uint16Array(w * h), place = new Float64Array(classes);
	for (let py = 0; py < h; py++) {
		const v = (py + 0.5) * (rows - 1) / h, r = Math.min(rows - 2, Math.floor(v)), fy = v - r;
		for (let px = 0; px < w; px++) {
			const u = (px + 0.5) * (columns - 1) / w, q = Math.min(columns - 2, Math.floor(u)), fx = u - q;
			const at = (r * columns + q) * classes, down = columns * classes;
			let most = -Infinity, own = 0;
			for (let k = 0; k < classes; k++) {
				const i = at + k;
				const p = (1 - fy) * ((1 - fx) * values[i] + fx * values[i + classes]) + fy * ((1 - fx) * values[i + down] + fx * values[i + down + classes]);
				place[k] = p;
				if (p > most) {
					most = p;
					own = k;
				}
			}
			let colour = tint[own], sure = 0;
			if (probable) {
				let sum = 0, red = 0, green = 0, blue = 0;
				for (let k = 0; k < classes; k++) {
					const p = Math.exp(place[k] - most);
					sum += p;
					red += p * tint[k][0];
					green += p * tint[k][1];
					blue += p * tint[k][2];
				}
				colour = [red / sum, green / sum, blue / sum];
				sure = (1 / sum - 1 / classes) / (1 - 1 / classes);
			}
			const i = py * w + px;
			best[i] = own;
			const border = px > 0 && best[i - 1] !== own || py > 0 && best[i - w] !== own;
			const share = border ? 0.75 : probable ? 0.12 + 0.38 * sure : 0.3;
			const to = border ? ink : colour;
			for (let k = 0; k < 3; k++) image.data[4 * i + k] = back[k] + share * (to[k] - back[k]);
			image.data[4 * i + 3] = 255;
		}
	}
	c.putImageData(image, 0, 0);
	return picture;
}

// mark draws the shape of a class, in a ring where that is asked for.
function mark(c, k, x, y, radius, ring) {
	c.save();
	c.translate(x, y);
	c.scale(radius, radius);
	c.fillStyle = colourOf(k);
	c.strokeStyle = css("--back");
	c.lineWidth = 1.2 / radius;
	const path = paths[k % paths.length];
	c.fill(path);
	c.stroke(path);
	if (ring) {
		c.strokeStyle = css("--ink");
		c.lineWidth = 2 / radius;
		c.scale(1.7, 1.7);
		c.stroke(paths[0]);
	}
	c.restore();
}

// drawPlane draws regions and points {x, y, k} of a box [left, right, bottom, top].
function drawPlane(canvas, box, points, picture, chosen, names) {
	const {c, w, h} = canvasOf(canvas), [left, right, bottom, top] = box;
	if (picture) c.drawImage(picture, 0, 0, w, h);
	const radius = points.length > 800 ? 3 : points.length > 300 ? 4 : 5.5;
	const place = (p) => [(p.x - left) / (right - left) * w, (top - p.y) / (top - bottom) * h];
	for (const p of points) mark(c, p.k, ...place(p), radius, p.wrong);
	if (points[chosen]) mark(c, points[chosen].k, ...place(points[chosen]), radius + 1, true);
	c.fillStyle = css("--ink");
	c.font = "13px system-ui, 'Liberation Sans', Arial, sans-serif";
	c.textAlign = "right";
	c.fillText(names[0] + " →", w - 8, h - 8);
	c.textAlign = "left";
	c.fillText("↑ " + names[1], 8, 18);
}

// drawDensities draws the densities of the classes by Gaussian kernels of Silverman's width.
function drawDensities(canvas, values, of, classes) {
	const {c, w, h} = canvasOf(canvas), steps = 240;
	let low = Infinity, high = -Infinity;
	for (const v of values) {
		low = Math.min(low, v);
		high = Math.max(high, v);
	}
	const margin = 0.1 * (high - low) || 1;
	low -= margin;
	high += margin;
	const curves = [];
	let most = 0;
	for (let k = 0; k < classes; k++) {
		const own = values.filter((_, i) => of[i] === k), n = own.length;
		const mean = own.reduce((a, b) => a + b, 0) / n, spread = Math.sqrt(own.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, n - 1));
		const width = Math.max(0.9 * spread * n ** -0.2, (high - low) / 200);
		const curve = new Float64Array(steps + 1);
		for (let s = 0; s <= steps; s++) {
			const at = low + (high - low) * s / steps;
			for (const v of own) curve[s] += Math.exp(-0.5 * ((v - at) / width) ** 2) / (width * values.length);
			most = Math.max(most, curve[s]);
		}
		curves.push(curve);
	}
	curves.forEach((curve, k) => {
		c.beginPath();
		curve.forEach((v, s) => c.lineTo(s / steps * w, h - 14 - v / most * (h - 24)));
		c.strokeStyle = c.fillStyle = colourOf(k);
		c.lineWidth = 2;
		c.setLineDash(dashes[k % dashes.length]);
		c.stroke();
		c.lineTo(w, h - 14);
		c.lineTo(0, h - 14);
		c.globalAlpha = 0.2;
		c.fill();
		c.globalAlpha = 1;
		c.setLineDash([]);
	});
	const few = Math.ceil(values.length / 600);
	for (let i = 0; i < values.length; i += few) mark(c, of[i], (values[i] - low) / (high - low) * w, h - 7, 3, false);
}
