// Keys, search, the state at a step, and what a running episode adds. Without it every page still
// reads from top to bottom.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const stops = () => $$(".stop");
  const numberOf = ({ dataset }) => Number(dataset.step);
  let current = null;
  let heldUntil = 0;

  // --- the state at a step ---
  const marksAt = (step) => {
    for (let n = step; n > 0; n--) {
      const marks = byId(`marks-${n}`);
      if (marks?.dataset.phase !== undefined) return marks.dataset;
    }
    return null;
  };
  const lightChart = ({ phase, proven }) => {
    for (const one of $$("#chart [data-state]")) {
      const lit = one.dataset.state === phase;
      one.classList.toggle("lit", lit);
      const name = proven ? "proven" : "unproven";
      for (const inner of $$("[data-inner]", one)) {
        inner.classList.toggle("lit", lit && inner.dataset.inner === name);
      }
    }
    for (const arrow of $$("#chart [data-from]")) {
      arrow.classList.toggle("lit", arrow.dataset.from === phase);
    }
  };
  const words = { open: "open", unknown: "not yet opened", done: "done", skipped: "skipped", failed: "failed" };
  const setLadder = (step, active) => {
    for (const item of $$("#ladder [data-item]")) {
      let status = item.dataset.begins;
      for (const change of item.dataset.changes.split(" ")) {
        const [at, what] = change.split(":");
        if (at !== "" && Number(at) <= step) status = what.endsWith("opened") ? "open" : what;
      }
      item.dataset.status = status;
      $(".how", item).textContent = words[status];
      const past = $$(".change", item).filter((change) => Number(change.dataset.at) <= step);
      for (const change of $$(".change", item)) change.hidden = change !== past.at(-1);
      if (item.dataset.item === active) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
  };
  const setCounters = (counts) => {
    for (const pair of counts.split(" ")) {
      const [signal, n] = pair.split(":");
      const output = $(`#counters [data-signal="${signal}"] output`);
      if (output) output.textContent = n;
    }
  };
  const showState = (step) => {
    for (const cursor of $$(".timeline .cursor")) cursor.setAttribute("x", step - 1);
    const at = byId("at");
    if (at === null) return;
    at.textContent = step;
    const data = marksAt(step);
    if (data === null) return;
    lightChart(data);
    setLadder(step, data.active);
    setCounters(data.counts);
  };

  // --- where one stands ---
  // Steps get their true height only when they come near, so that the first aim may miss.
  const bring = (stop, frames) => {
    stop.scrollIntoView({ block: "start" });
    if (frames > 0 && stop === current) requestAnimationFrame(() => bring(stop, frames - 1));
  };
  const select = (stop, { scroll = true } = {}) => {
    if (!stop) return;
    current?.classList.remove("current");
    current = stop;
    stop.classList.add("current");
    showState(numberOf(stop));
    if (!scroll) return;
    stop.closest("details")?.setAttribute("open", "");
    heldUntil = performance.now() + 500;
    bring(stop, 12);
    stop.focus({ preventScroll: true });
    history.replaceState(null, "", `#${stop.id}`);
  };
  const move = (by) => {
    const all = stops();
    const at = all.indexOf(current);
    select(all[Math.max(0, Math.min(all.length - 1, at === -1 && by < 0 ? all.length - 1 : at + by))]);
  };
  const stopAt = (step) => stops().find((stop) => numberOf(stop) === step);
  const followHash = () => {
    const target = location.hash ? byId(decodeURIComponent(location.hash.slice(1))) : null;
    select(target?.closest(".stop"));
  };
  const followScroll = () => {
    // The last steps cannot reach the top of the screen.
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    if (performance.now() < heldUntil || (isAtEnd && current)) return;
    const list = byId("steps");
    if (!list) return;
    const box = list.getBoundingClientRect();
    const y = ($(".band")?.getBoundingClientRect().bottom ?? 0) + 60;
    const stop = document.elementFromPoint(box.left + Math.min(200, box.width / 2), y)?.closest(".stop");
    if (stop && stop !== current) select(stop, { scroll: false });
  };
  let scrolls = false;
  addEventListener("scroll", () => {
    if (scrolls) return;
    scrolls = true;
    requestAnimationFrame(() => {
      scrolls = false;
      followScroll();
    });
  }, { passive: true });
  addEventListener("hashchange", followHash);

  // --- search ---
  const search = byId("search");
  let hits = [];
  let hit = -1;
  const rangesIn = (root, text) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const ranges = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const where = node.data.toLowerCase();
      for (let at = where.indexOf(text); at !== -1 && ranges.length < 500; at = where.indexOf(text, at + text.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        ranges.push(range);
      }
    }
    return ranges;
  };
  const showHit = () => {
    byId("hits").textContent = hits.length === 0 ? "no step" : `${hit + 1} of ${hits.length}`;
    const stop = hits[hit];
    if (!stop) return;
    const ranges = rangesIn(stop, search.q.value.toLowerCase());
    for (const range of ranges) range.startContainer.parentElement?.closest("details")?.setAttribute("open", "");
    globalThis.CSS?.highlights?.set("hit", new Highlight(...ranges));
    select(stop);
    search.q.focus({ preventScroll: true });
  };
  const find = () => {
    const text = search.q.value.toLowerCase();
    for (const stop of hits) stop.classList.remove("hit");
    globalThis.CSS?.highlights?.delete("hit");
    hits = text.length < 2 ? [] : stops().filter((stop) => stop.textContent.toLowerCase().includes(text));
    for (const stop of hits) stop.classList.add("hit");
    hit = -1;
    byId("hits").textContent = text.length < 2 ? "" : `${hits.length} steps`;
  };
  let waits = 0;
  search?.addEventListener("input", () => {
    clearTimeout(waits);
    hit = -1;
    waits = setTimeout(find, 120);
  });
  search?.addEventListener("submit", (event) => event.preventDefault());
  search?.addEventListener("keydown", (event) => {
    if (event.key === "Escape") search.q.blur();
    if (event.key !== "Enter") return;
    clearTimeout(waits);
    if (hit === -1) find();
    if (hits.length > 0) hit = (hit + (event.shiftKey ? -1 : 1) + hits.length) % hits.length;
    showHit();
  });

  // --- keys ---
  const help = byId("help");
  const field = () => search?.q ?? $(".filters input[type=search]");
  const actions = {
    j: () => move(1),
    k: () => move(-1),
    g: () => select(stops()[0]),
    G: () => select(stops().at(-1)),
    h: () => $("a[rel=prev]")?.click(),
    l: () => $("a[rel=next]")?.click(),
    d: () => (byId("parting") ? byId("parting").scrollIntoView({ block: "center" }) : byId("compare")?.click()),
    "/": () => field()?.focus(),
    "?": () => help.showModal(),
  };
  const keysOn = byId("keys-on");
  try {
    keysOn.checked = localStorage.getItem("keys") !== "off";
    keysOn.addEventListener("change", () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"));
  } catch {
    // Without storage the choice holds for this page.
  }
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keysOn.checked || event.key === "?" ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  byId("help-open").addEventListener("click", () => help.showModal());

  // --- pointing ---
  addEventListener("click", (event) => {
    const timeline = event.target.closest?.(".timeline");
    if (!timeline) return;
    const box = timeline.getBoundingClientRect();
    const step = 1 + Math.floor(((event.clientX - box.left) / box.width) * Number(timeline.dataset.steps));
    select(stopAt(step));
  });
  addEventListener("mouseover", (event) => {
    const row = event.target.closest?.("[data-row]")?.dataset.row;
    for (const arc of $$(".arc")) arc.classList.toggle("lit", row !== undefined && arc.dataset.ends.split(" ").includes(row));
  });
  addEventListener("toggle", (event) => {
    const waiting = event.target.open && $(":scope > template", event.target);
    if (waiting) waiting.replaceWith(waiting.content);
  }, true);

  // --- what a running episode adds ---
  const take = ({ id, html, into }) => {
    const made = document.createElement("template");
    made.innerHTML = html;
    const fresh = made.content.firstElementChild;
    const old = byId(id);
    if (old) old.replaceWith(fresh);
    else byId(into)?.append(fresh);
  };
  const live = $("[data-live]")?.dataset.live;
  if (live) {
    const stream = new EventSource(live);
    stream.addEventListener("parts", (event) => {
      const before = stops();
      const follows = current !== null && current === before.at(-1);
      for (const part of JSON.parse(event.data)) take(part);
      const all = stops();
      byId("of").textContent = all.length;
      if (all.length > before.length) byId("said").textContent = `Step ${all.length}`;
      if (follows && all.at(-1) !== current) select(all.at(-1));
      else showState(current ? numberOf(current) : all.length);
    });
    stream.addEventListener("done", () => stream.close());
    stream.addEventListener("gone", () => location.reload());
  }
  const panel = $(".state > details");
  if (panel && matchMedia("(max-width: 68rem)").matches) panel.open = false;
  if (location.hash) followHash();
  else if (byId("at")) showState(stops().length);
})();
