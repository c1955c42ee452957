// The chart of the mark price, with the trades of the market, as SVG.

import { shown, timeOfDay } from "./dom.js";

const LONGEST_MS = 3_600_000;
const SHORTEST_MS = 120_000;
const RIGHT = 66;
const BOTTOM = 20;
const TAG = 18;
const NAMESPACE = "http://www.w3.org/2000/svg";

function shape(tag, told, text) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(told)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Return round numbers between two others, some `wanted` of them. */
function ticks(low, high, wanted, steps = [1, 2, 5, 10]) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = steps.map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
}

const TIMES = [15, 30, 60, 120, 300, 600, 900].map((seconds) => seconds * 1000);

/** Draw the points `[time, price]` and the trades of the last hour until now. */
export function draw(chart, pointed, { symbol, points, trades, now, decimals }) {
  const { width, height } = chart.getBoundingClientRect();
  if (width < 50 || !points.length) {
    chart.replaceChildren();
    return;
  }
  const first = Math.max(Math.min(points[0][0], now - SHORTEST_MS), now - LONGEST_MS);
  const inside = points.filter(([time], index) => time >= first || (points[index + 1] ?? [now])[0] > first);
  const dealt = trades.filter((each) => each.created_at >= first && each.created_at <= now);
  const prices = [...inside.map(([, price]) => price), ...dealt.map((each) => Number(each.price))];
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const pad = Math.max((most - least) * 0.12, most * 0.0002);
  const [low, high] = [least - pad, most + pad];
  const x = (time) => ((Math.max(time, first) - first) / (now - first)) * (width - RIGHT);
  const y = (price) => 6 + (1 - (price - low) / (high - low)) * (height - BOTTOM - 6);

  const latest = inside.at(-1)[1];
  const at = y(latest);
  const shapes = [];
  for (const each of ticks(low, high, height / 60)) {
    shapes.push(shape("line", { class: "grid", x1: 0, x2: width - RIGHT, y1: y(each), y2: y(each) }));
    // The tag of the latest price would hide a label so near.
    if (Math.abs(y(each) - at) > TAG) shapes.push(shape("text", { x: width - RIGHT + 6, y: y(each) + 4 }, shown(each.toFixed(decimals), decimals)));
  }
  const step = TIMES.find((each) => (now - first) / each <= width / 90) ?? TIMES.at(-1);
  for (let each = Math.ceil(first / step) * step; each < now; each += step) {
    if (x(each) < 24 || x(each) > width - RIGHT - 20) continue;
    shapes.push(shape("text", { x: x(each), y: height - 5, "text-anchor": "middle" }, timeOfDay(each).slice(0, step < 60_000 ? 8 : 5)));
  }
  // A mark price stands until the next one: a step, not a slope.
  const line = inside.map(([time, price], index) =>
    `${index ? `H${x(time)}V` : `M${x(time)} `}${y(price)}`);
  const path = `${line.join("")}H${x(now)}`;
  const floor = height - BOTTOM;
  shapes.push(shape("path", { class: "area", d: `${path}V${floor}H${x(inside[0][0])}Z` }));
  shapes.push(shape("path", { class: "price", d: path }));
  for (const each of dealt) {
    const side = bought(each) ? "buy" : "sell";
    shapes.push(shape("circle", { class: side, cx: x(each.created_at), cy: y(each.price), r: 3 }));
  }
  shapes.push(shape("line", { class: "now", x1: 0, x2: width - RIGHT, y1: at, y2: at }));
  shapes.push(shape("rect", { class: "tag", x: width - RIGHT + 1, y: at - TAG / 2, width: RIGHT - 1, height: TAG, rx: 3 }));
  shapes.push(shape("text", { class: "tagged", x: width - RIGHT + 6, y: at + 4 }, shown(String(latest), decimals)));
  chart.replaceChildren(...shapes);
  const span = Math.round((now - first) / 60_000);
  const text = `from ${shown(String(least), decimals)} to ${shown(String(most), decimals)} in ${span} minutes`;
  chart.setAttribute("aria-label", `Mark price of ${symbol}: ${shown(String(latest), decimals)}, ${text}`);

  const told = `${text[0].toUpperCase()}${text.slice(1)}`;
  if (!chart.matches(":hover")) pointed.textContent = told;
  chart.onpointermove = (event) => {
    const time = first + (event.offsetX / (width - RIGHT)) * (now - first);
    const before = inside.findLast((each) => each[0] <= time);
    if (before && time <= now) pointed.textContent = `${timeOfDay(time)} UTC: ${shown(String(before[1]), decimals)}`;
  };
  chart.onpointerleave = () => (pointed.textContent = told);
}

/** Whether the taker of a trade bought. */
export const bought = (trade) => ["open_long", "close_short"].includes(trade.side);

