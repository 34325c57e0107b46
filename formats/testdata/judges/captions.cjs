// Prints what a reader reads from caption files, as a JSON list of {"errors": [...], "cues": [{"start", "end", "text",
// "voice"}]}, with times in milliseconds. Usage: node captions.cjs webvtt-parser|vtt.js|subtitle|imsc FILE ...
const fs = require("fs");
const [reader, ...files] = process.argv.slice(2);
const ms = (seconds) => Math.round(seconds * 1000);

const readers = {
  "webvtt-parser": (input) => {
    const { WebVTTParser } = require("webvtt-parser");
    const { cues, errors } = new WebVTTParser(require("webvtt-parser/html-entities.json")).parse(input, "subtitles/captions/descriptions");
    const text = (n) => n.type === "text" ? n.value : (n.children || []).map(text).join("");
    const voice = (n) => n.name === "v" ? n.value : (n.children || []).map(voice).find((v) => v) || "";
    return {
      errors: errors.map((e) => `${e.line}:${e.col} ${e.message}`),
      cues: cues.map((c) => ({ start: ms(c.startTime), end: ms(c.endTime), text: text(c.tree), voice: voice(c.tree) })),
    };
  },
  "vtt.js": (input) => {
    globalThis.navigator ??= { userAgent: "" }; // the library expects a browser
    const { WebVTT, VTTCue, VTTRegion } = require("vtt.js");
    // Just enough of a document for the parser of cue text.
    const node = (name) => ({ name, children: [], appendChild(c) { this.children.push(c); c.parentNode = this; return c; } });
    const window = {
      VTTCue, VTTRegion,
      document: { createElement: node, createTextNode: (t) => ({ text: t }), createProcessingInstruction: () => ({ text: "" }) },
    };
    const text = (n) => n.text !== undefined ? n.text : n.children.map(text).join("");
    const voice = (n) => n.title || (n.children || []).map(voice).find((v) => v) || "";
    const parser = new WebVTT.Parser(window, WebVTT.StringDecoder());
    const result = { errors: [], cues: [] };
    parser.onparsingerror = (e) => result.errors.push(String(e.message));
    parser.oncue = (c) => {
      const tree = WebVTT.convertCueToDOMTree(window, c.text);
      result.cues.push({ start: ms(c.startTime), end: ms(c.endTime), text: text(tree), voice: voice(tree) });
    };
    parser.parse(input);
    parser.flush();
    return result;
  },
  subtitle: (input) => {
    const cues = require("subtitle").parseSync(input).filter((n) => n.type === "cue").map((n) => n.data);
    return { errors: [], cues: cues.map((c) => ({ start: c.start, end: c.end, text: c.text, voice: "" })) };
  },
  // The voices of TTML are colours. Each cue must be on screen in the document that is shown in the middle of its time.
  imsc: (input) => {
    // Not "imsc" itself, which also loads the renderer of HTML, and that expects a browser.
    const { fromXML } = require("imsc/src/main/js/doc.js"), { generateISD } = require("imsc/src/main/js/isd.js");
    const errors = [];
    const report = (kind) => (message) => { errors.push(`${kind}: ${message}`); return false; };
    const handler = { info: report("info"), warn: report("warn"), error: report("error"), fatal: report("fatal") };
    const doc = fromXML(input, handler);
    const below = (n, kind) => n.kind === kind ? [n] : (n.contents || []).flatMap((c) => below(c, kind));
    const text = (n) => n.kind === "br" ? "\n" : n.text || (n.contents || []).map(text).join("");
    const colour = (n) => n.text ? n.styleAttrs["http://www.w3.org/ns/ttml#styling color"].join(",") : (n.contents || []).map(colour).find((c) => c);
    const cues = below(doc.body || {}, "p").map((p) => {
      const isd = generateISD(doc, (p.begin + p.end) / 2, handler);
      const shown = isd.contents.flatMap((region) => below(region, "p")).find((q) => text(q) === text(p));
      if (!shown) errors.push(`not on screen: ${text(p)}`);
      return { start: ms(p.begin), end: ms(p.end), text: text(p), voice: shown ? colour(shown) : "" };
    });
    return { errors, cues };
  },
};
console.log(JSON.stringify(files.map((f) => readers[reader](fs.readFileSync(f, "utf8")))));
