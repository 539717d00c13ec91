package main

import (
	"strings"
	"testing"
)

// After a table that is refused, a fit that is stopped or does not end, data that go during a drag, and a change
// before the last one is there, the page does what was asked last.
func TestTrouble(t *testing.T) {
	p := open(t)
	value[bool](p, `globalThis.kept = [], save = (name, bytes) => kept.push(name + (bytes.length > 99)), true`)
	kept := func() string {
		t.Helper()
		return value[string](p, `(async () => { while (state.busy) await new Promise((done) => setTimeout(done, 20)); return kept.splice(0).join(); })()`)
	}
	fits := func(what, name string) {
		t.Helper()
		if got := p.text("shown"); got != name || p.text("hash") == "" {
			t.Errorf("%s the page shows %s: %s", what, got, p.text("said"))
		}
	}
	p.settle(`$("model").value = "lda", $("model").onchange()`)
	p.settle(`state.field.seconds = 0, $("paste").value = "no table", $("use").click()`)
	if said := p.text("said"); said == "" {
		t.Error("a table is refused without a word")
	}
	p.settle(`refresh()`)
	p.settle(`usePreset("banana")`)
	fits("after a table that is refused", "banana.csv")

	p.settle(`(change(false), $("saveModel").click(), $("stop").click())`)
	if said, files := p.text("said"), kept(); !strings.Contains(said, "Stopped") || files != "" {
		t.Errorf("after a stop the page says %q and saves %s", said, files)
	}
	p.settle(`document.querySelector("#said button").click()`)
	fits("asked to fit again", "banana.csv")
	p.settle(`($("validate").click(), $("stop").click())`)
	fits("after a stop of cross-validation", "banana.csv")
	p.settle(`$("saveModel").click()`)
	if files := kept(); files != "banana.kfdatrue" {
		t.Errorf("after a stop of cross-validation the page saves %s", files)
	}

	p.settle(`(worker.postMessage = () => {}, usePreset("circles"), new Promise((done) => setTimeout(done, 100)).then(() => usePreset("banana")))`)
	fits("after a fit that does not end", "banana.csv")

	p.settle(`(async () => {
		const plane = $("plane"), box = plane.getBoundingClientRect(), e = {button: 0, clientX: box.left + 5, clientY: box.top + 5, pointerType: "mouse"};
		plane.setPointerCapture = () => {}; // there is no such pointer
		for (const meanwhile of [() => $("clear").click(), () => usePreset("iris"), () => usePreset("circles"), () => $("remove").click()]) {
			if (!state.points) await usePreset("banana");
			plane.onpointerdown(e);
			await meanwhile();
			plane.onpointermove(e);
			plane.onpointerup(e);
		}
	})()`)
	if n := value[int](p, `Object.keys(state.points).length`); n != 100 {
		t.Errorf("%d points are left of 100", n)
	}
	p.settle(`(usePreset("iris"), usePreset("spirals"))`)
	fits("after two clicks", "spirals.csv")
	p.settle(`(usePreset("spirals"), usePreset("iris"))`)
	fits("after two clicks", "iris.csv")
	p.settle(`$("model").value = "svm", $("model").onchange()`)
	if said := p.text("caption"); !value[bool](p, `state.picture === null`) || !strings.Contains(said, "no regions") {
		t.Errorf("the picture of three directions: %s", said)
	}
	p.quiet()
}
