"use strict";
(() => {
  const media = document.querySelector("audio, video");
  const turns = [...document.querySelectorAll(".turn")];
  const starts = turns.map((t) => Number(t.dataset.start) / 1000);
  const said = turns.map((t) => t.querySelector(".said"));
  const marks = typeof Highlight === "function" && CSS.highlights ? CSS.highlights : null;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let scrolled = -Infinity; // when the reader last scrolled

  // last returns the index of the last element of a sorted list that is at most x, or -1.
  const last = (list, x) => {
    let from = 0;
    for (let to = list.length; from < to;) {
      const middle = (from + to) >> 1;
      if (list[middle] <= x) from = middle + 1; else to = middle;
    }
    return from - 1;
  };

  // rangeOf returns the range of characters of an element, whose text may be in several nodes.
  const rangeOf = (element, from, to) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let at = 0, begun = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const end = at + node.length;
      if (!begun && from < end) { range.setStart(node, from - at); begun = true; }
      if (begun && to <= end) { range.setEnd(node, to - at); return range; }
      at = end;
    }
    return null;
  };

  const reveal = (element) => {
    const box = element.getBoundingClientRect(), player = document.querySelector(".player");
    const top = player && getComputedStyle(player).position === "sticky" ? Math.max(player.getBoundingClientRect().bottom, 0) : 0;
    const hidden = matchMedia("(min-width: 72rem)").matches ? 0 : top;
    if (box.top < hidden || box.bottom > innerHeight) {
      scrollBy({ top: box.top - hidden - (innerHeight - hidden) / 4, behavior: calm.matches ? "auto" : "smooth" });
    }
  };

  // Words: "letters.time" for each, as differences in base 36; letters are UTF-16 units, times are milliseconds.
  const timed = new Map();
  const wordsOf = (i) => {
    if (!timed.has(i)) {
      let letter = 0, time = starts[i] * 1000;
      const words = { letters: [], times: [] };
      for (const word of (turns[i].dataset.words || "0.0").split(" ")) {
        const [l, t] = word.split(".");
        words.letters.push(letter += parseInt(l, 36));
        words.times.push((time += parseInt(t, 36)) / 1000);
      }
      timed.set(i, words);
    }
    return timed.get(i);
  };

  const seek = (time, play) => {
    media.currentTime = time;
    if (play) media.play().catch(() => {});
    show();
  };

  let turn = -1, shown = "";
  const chapters = [...document.querySelectorAll(".chapters a")];
  const chapterStarts = chapters.map((a) => Number(a.dataset.start) / 1000);
  const show = () => {
    const now = media.currentTime + 0.05;
    const i = last(starts, now);
    if (i !== turn) {
      turns[turn]?.classList.remove("now");
      turns[i]?.classList.add("now");
      turn = i;
      if (i >= 0 && !media.paused && performance.now() - scrolled > 4000) reveal(turns[i]);
      const chapter = last(chapterStarts, now);
      chapters.forEach((a, n) => n === chapter ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current"));
    }
    const word = i < 0 ? -1 : last(wordsOf(i).times, now);
    if (marks && shown !== i + "." + word) {
      shown = i + "." + word;
      marks.delete("word");
      if (word >= 0) {
        const { letters } = wordsOf(i), text = said[i].textContent;
        const rest = text.slice(letters[word], letters[word + 1] ?? text.length).trimEnd();
        const range = rangeOf(said[i], letters[word], letters[word] + rest.length);
        if (range) marks.set("word", new Highlight(range));
      }
    }
  };

  if (media) {
    document.body.classList.add("seek");
    let frame = 0;
    const follow = () => { show(); frame = media.paused ? 0 : requestAnimationFrame(follow); };
    media.addEventListener("play", () => { if (!frame) follow(); });
    for (const event of ["timeupdate", "seeked"]) media.addEventListener(event, show);
    for (const event of ["wheel", "touchmove"]) addEventListener(event, () => { scrolled = performance.now(); }, { passive: true });

    document.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (link?.dataset.start) {
        if (link.classList.contains("at")) event.preventDefault();
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) seek(Number(link.dataset.start) / 1000, link.classList.contains("at"));
        return;
      }
      const i = said.indexOf(event.target.closest(".said"));
      if (link || i < 0 || !getSelection().isCollapsed) return;
      const at = document.caretPositionFromPoint?.(event.clientX, event.clientY);
      const old = at ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
      const node = at?.offsetNode ?? old?.startContainer;
      if (!node || !said[i].contains(node)) return seek(starts[i], true);
      const before = document.createRange();
      before.setStart(said[i], 0);
      before.setEnd(node, at?.offset ?? old.startOffset);
      const words = wordsOf(i);
      seek(words.times[Math.max(last(words.letters, before.toString().length), 0)], true);
    });

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest("a, input, audio, video")) return;
      if (event.key === " ") media.paused ? media.play().catch(() => {}) : media.pause();
      else if (event.key === "ArrowRight") seek(media.currentTime + 5, false);
      else if (event.key === "ArrowLeft") seek(Math.max(media.currentTime - 5, 0), false);
      else return;
      event.preventDefault();
    });
  }

  const search = document.querySelector(".search");
  const input = search.querySelector("input"), output = search.querySelector("output");
  let hits = [], hit = -1;
  const find = () => {
    for (const t of turns) t.classList.remove("hit");
    hits = [];
    hit = -1;
    const words = input.value.trim();
    const pattern = words && new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
    for (let i = 0; pattern && i < said.length; i++) {
      for (const m of said[i].textContent.matchAll(pattern)) hits.push([i, m.index, m.index + m[0].length]);
    }
    if (marks) {
      marks.delete("hit");
      if (hits.length) marks.set("hit", new Highlight(...hits.map(([i, from, to]) => rangeOf(said[i], from, to)).filter(Boolean)));
    } else {
      for (const [i] of hits) turns[i].classList.add("hit");
    }
    step(1);
  };
  const step = (by) => {
    marks?.delete("found");
    output.textContent = input.value.trim() ? "0 / 0" : "";
    if (!hits.length) return;
    hit = (hit + by + hits.length) % hits.length;
    output.textContent = hit + 1 + " / " + hits.length;
    const [i, from, to] = hits[hit], range = rangeOf(said[i], from, to);
    if (range) {
      if (marks) { const found = new Highlight(range); found.priority = 1; marks.set("found", found); }
      reveal(range);
    }
    scrolled = performance.now();
  };
  search.hidden = false;
  input.addEventListener("input", find);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { input.value = ""; find(); }
  });
})();
