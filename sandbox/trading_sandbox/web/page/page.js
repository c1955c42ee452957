// The page of a sandbox: it shows each picture that the sandbox sends, and keeps nothing but its own chart.

import { bought, draw } from "./chart.js";
import { invoke, showControls } from "./controls.js";
import { decimalsOf, element, keep, row, setText, short, shown, tableSection, timeOfDay } from "./dom.js";

const PATH = "/sandbox/v1/live";
const AGAIN_MS = 1000;
const MOST_POINTS = 4000;
const MOST_ROWS = 200;
const JUMP_MS = 120_000;

const TABLES = {
  trades: ["Trades", ["Price", "Amount", "Taker", "Time"], "No trade yet."],
  accounts: ["Accounts", ["Account", "Equity", "Margin", "Free", "Margin use"], "None yet: the control create_account opens one."],
  waiting: ["Faults, outcomes, rate budget", ["What", "Of", "State"], ""],
  positions: ["Positions and spot", ["Account", "Market", "Mode", "Size", "Entry", "Liquidation", "Margin", "Profit"], "No position."],
  orders: ["Open orders and stops", ["Order", "Account", "Market", "Side", "Type", "Price", "Stop", "Filled", "Cancel"], "No open order: place one below the order book."],
  websocket: ["Websocket", ["Frame", "Connections", "Text"], "No frame yet."],
  requests: ["Requests", ["Request", "Operation", "Account", "Status", "Fault", "Time", "Signature"], "No request yet."],
};

const $ = (id) => document.getElementById(id);
const points = {};
let picture = null;
let source = null;
let waiting = 0;
let numbers = new Map();

// -- the connection: none while nobody looks ----------------------------------------------------

function connect() {
  clearTimeout(waiting);
  source?.close();
  if (document.visibilityState === "hidden") return;
  source = new EventSource(PATH);
  source.addEventListener("past", (event) => takePast(JSON.parse(event.data)));
  source.addEventListener("picture", (event) => {
    say("Live", true);
    take(JSON.parse(event.data));
  });
  source.onerror = () => {
    say("Not connected: is the sandbox running?", false);
    source.close();
    waiting = setTimeout(connect, AGAIN_MS);
  };
}

function say(text, live) {
  setText($("state"), text);
  $("state").classList.toggle("live", live);
}

document.addEventListener("visibilitychange", connect);
document.addEventListener("resume", connect);
addEventListener("pageshow", (event) => event.persisted && connect());

// -- time and prices ----------------------------------------------------------------------------

const frozen = () => picture.clock.frozen_at !== null;
const now = () => picture.clock.frozen_at ?? Date.now() + picture.clock.offset;

function takePast(past) {
  for (const [symbol, path] of Object.entries(past)) {
    if (path.length) points[symbol] = path.map(([time, price]) => [time, Number(price)]);
  }
}

function take(given) {
  picture = given;
  let jumped = false;
  for (const [symbol, market] of Object.entries(picture.markets)) {
    // Time runs backwards when a snapshot is restored, or another sandbox has the port.
    const known = (points[symbol] ?? []).filter(([time]) => time <= now());
    jumped ||= known.length > 0 && now() - known.at(-1)[0] > JUMP_MS;
    points[symbol] = [...known.slice(-MOST_POINTS), [now(), Number(market.mark_price)]];
  }
  showAll();
  // Time was advanced: a new connection begins with the path on the way.
  if (jumped) connect();
}

function showTime() {
  if (!picture) return;
  const text = new Date(now()).toISOString();
  setText($("time"), `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`);
  setText($("running"), frozen() ? "Frozen at" : picture.clock.offset ? "Advanced to" : "Market time");
  $("running").className = frozen() ? "frozen" : "muted";
}

// -- the market ---------------------------------------------------------------------------------

const chosen = () => (location.hash.slice(1) in picture.markets ? location.hash.slice(1) : Object.keys(picture.markets)[0]);

function makeTab([symbol]) {
  const radio = element("input", { type: "radio", name: "market", value: symbol, checked: symbol === chosen() });
  const price = element("b");
  radio.addEventListener("change", () => {
    history.replaceState(null, "", `#${symbol}`);
    showMarket();
  });
  const made = element("label", {}, radio, symbol, price);
  made.update = ([, market]) => setText(price, shown(market.mark_price, decimalsOf(market.tick)));
  return made;
}

function makeFigure([name]) {
  const value = element("dd");
  const made = element("div", {}, element("dt", {}, name), value);
  made.update = ([, text]) => setText(value, text);
  return made;
}

function showMarket() {
  const symbol = chosen();
  const market = picture.markets[symbol];
  const decimals = decimalsOf(market.tick);
  const rate = `${shown(String(Number(market.funding_rate) * 100), 4)} % an hour`;
  const figures = {
    Mark: shown(market.mark_price, decimals) + (market.pinned ? " (set by hand)" : ""),
    Last: shown(market.last_price, decimals),
    Funding: rate,
    "Open interest": `${shown(market.open_interest)} ${symbol}`,
  };
  keep($("figures"), Object.entries(figures), ([name]) => name, makeFigure);
  showBook(market, decimals);
  keep($("trades-rows"), market.trades, (trade) => `${symbol}${trade.id}`, row((trade) => [
    [shown(trade.price, decimals), bought(trade) ? "buy" : "sell"],
    shown(trade.amount, decimalsOf(market.lot)),
    [bought(trade) ? "buys" : "sells", bought(trade) ? "buy" : "sell"],
    [timeOfDay(trade.created_at), "muted"],
  ], { className: "fresh" }));
  showChart();
  document.title = `${shown(market.mark_price, decimals)} ${symbol} · sandbox ${location.port}`;
}

function showChart() {
  const symbol = chosen();
  const { trades, tick } = picture.markets[symbol];
  draw($("chart"), $("pointed"), { symbol, points: points[symbol] ?? [], trades, now: now(), decimals: decimalsOf(tick) });
}

function showBook(market, decimals) {
  const places = decimalsOf(market.lot);
  const depths = {};
  for (const [side, levels] of Object.entries(market.book)) {
    let total = 0;
    depths[side] = levels.map((level) => ({ ...level, total: (total += Number(level.amount)) }));
  }
  const deepest = Math.max(...Object.values(depths).map((levels) => levels.at(-1)?.total ?? 0));
  const makeLevel = row((level, made) => {
    made.style.setProperty("--depth", `${((100 * level.total) / deepest).toFixed(1)}%`);
    return [shown(level.price, decimals), shown(level.amount, places), shown(String(level.total), places)];
  });
  keep($("asks"), depths.ask.toReversed(), (level) => level.price, makeLevel);
  keep($("bids"), depths.bid, (level) => level.price, makeLevel);
  const { best_bid: bid, best_ask: ask } = market;
  const spread = bid && ask ? Number(ask) - Number(bid) : null;
  setText($("spread-price"), spread === null ? "–" : shown(spread.toFixed(decimals), decimals));
  setText($("spread-share"), spread === null ? "" : `${((10_000 * spread) / Number(ask)).toFixed(1)} bp`);
}

// -- accounts -----------------------------------------------------------------------------------
const signed = (text) => [`${Number(text) > 0 ? "+" : ""}${shown(text, 2)}`, Number(text) < 0 ? "down" : Number(text) > 0 ? "up" : ""];

/** A cell that names an account: its number, its color, and its address. */
function named(address) {
  const hue = [...address].reduce((sum, each) => (sum * 31 + each.codePointAt(0)) % 360, 7);
  const dot = element("span", { className: "dot" });
  dot.style.setProperty("--hue", hue);
  const number = numbers.get(address);
  return element("span", { title: address }, dot, number ? `${number} · ${short(address)}` : short(address));
}

function accountCells(account, made) {
  made.named ??= named(account.address);
  made.meter ??= element("meter", { "aria-label": "Margin use", min: 0, max: 1, high: 0.8, low: 0.5, optimum: 0 });
  const use = Number(account.margin) / Math.max(Number(account.equity), 1e-9);
  made.meter.value = Math.min(use, 1);
  made.meter.title = `${(100 * use).toFixed(1)} %`;
  return [made.named, ...["equity", "margin", "free"].map((name) => shown(account[name], 2)), made.meter];
}

function positionCells({ address, symbol, position, spot }, made) {
  made.named ??= named(address);
  if (spot) return [made.named, symbol, "spot", shown(spot), null, null, null, null];
  const decimals = decimalsOf(picture.markets[symbol].tick);
  return [
    made.named,
    symbol,
    `${position.leverage}× ${position.isolated ? "isolated" : "cross"}`,
    [shown(position.size), Number(position.size) < 0 ? "down" : "up"],
    shown(position.entry_price, decimals),
    shown(position.liquidation_price, decimals),
    shown(position.margin, 2),
    signed(position.unrealised),
  ];
}

function orderCells({ address, order }, made) {
  made.named ??= named(address);
  const decimals = decimalsOf(picture.markets[order.symbol].tick);
  return [
    String(order.order_id),
    made.named,
    order.symbol,
    [order.side === "bid" ? "buys" : "sells", order.side === "bid" ? "buy" : "sell"],
    `${order.order_type.replaceAll("_", " ")}${order.waits ? ", waits" : ""}${order.reduce_only ? ", reduce only" : ""}`,
    order.waits && order.order_type.endsWith("market") ? null : shown(order.price, decimals),
    shown(order.stop_price, decimals),
    `${shown(order.filled)} / ${shown(order.amount)}`,
    (made.cancel ??= cancelButton(address, order)),
  ];
}

function cancelButton(account, { symbol, order_id }) {
  const button = element("button", { type: "button", className: "cancel", "aria-label": `Cancel order ${order_id}` }, "Cancel");
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { error } = await invoke("cancel_order", JSON.stringify({ account, symbol, order_id }));
    // Without an error the next picture lacks the order.
    button.disabled = false;
    if (error) setText($("ticket-told"), error);
  });
  return button;
}

// -- the order ticket: the first order can be placed by hand -------------------------------------

async function placeOrder(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const side = event.submitter.value;
  const given = Object.fromEntries(new FormData(form));
  const told = $("ticket-told");
  if (!given.account) {
    const opened = await invoke("create_account", "{}");
    if (opened.error) return setText(told, opened.error);
    form.elements.account.value = given.account = opened.result.address;
  }
  const order = { account: given.account, symbol: chosen(), side, amount: given.amount, price: given.price || null };
  const { result, error } = await invoke("place_order", JSON.stringify(order));
  told.className = error ? "down" : "muted";
  setText(told, error ?? `Order ${result} is placed.`);
}

const counted = (shownRows, all) => (shownRows < all ? `latest ${shownRows} of ${all}` : all ? String(all) : "");

function showAccounts({ count, latest }) {
  numbers = new Map(latest.map((account, index) => [account.address, count - latest.length + index + 1]));
  keep($("accounts-rows"), latest, (account) => account.address, row(accountCells));
  setText($("accounts-count"), counted(latest.length, count));
  const positions = latest.flatMap(({ address, positions, spot }) => [
    ...Object.entries(positions).map(([symbol, position]) => ({ address, symbol, position })),
    ...Object.entries(spot).map(([symbol, amount]) => ({ address, symbol, spot: amount })),
  ]);
  keep($("positions-rows"), positions, ({ address, symbol, spot }) => `${address} ${symbol} ${spot ?? ""}`, row(positionCells));
  setText($("positions-count"), counted(positions.length, positions.length));
  const orders = latest.flatMap(({ address, orders }) => orders.map((order) => ({ address, order })));
  const visible = orders.sort((one, other) => other.order.order_id - one.order.order_id).slice(0, MOST_ROWS);
  keep($("orders-rows"), visible, ({ order }) => order.order_id, row(orderCells));
  setText($("orders-count"), counted(visible.length, latest.reduce((sum, each) => sum + each.orders_count + each.stop_orders_count, 0)));
  keep($("addresses"), latest, (account) => account.address, ({ address }) => {
    const made = element("option", { value: address });
    made.update = () => made.setAttribute("label", `Account ${numbers.get(address)}`);
    return made;
  });
}

// -- what waits ---------------------------------------------------------------------------------

function showWaiting({ faults, forced, budgets, insurance_fund: fund, sandbox, websocket }) {
  const rows = [
    ...faults.map(({ operation, kind, times, ...options }) =>
      ["fault", `${kind}, ${operation}`, `${times} more; ${Object.entries(options).map(([name, value]) => `${name} ${value}`).join(", ")}`]),
    ...forced.map(({ id, status, reason }) => ["outcome", id, reason ? `${status}: ${reason}` : status]),
    ...budgets.map(({ of, left, quota, window_s }) => ["rate budget", of, `${shown(left)} of ${shown(quota)} credits in ${window_s} s`]),
    ...(websocket?.connections ?? []).map((topics, index) => ["websocket", `connection ${index + 1} of ${websocket.connected}`, topics.join(", ") || "no subscription"]),
    ["background maker", "all markets", sandbox.maker ? "quotes" : "off"],
    ["insurance fund", `paid ${shown(fund.debt_paid, 2)}`, `${shown(fund.equity, 0)} USDC`],
    ...(sandbox.vaults ? [["vaults", "", String(sandbox.vaults)]] : []),
  ];
  const numbered = rows.map((cells, index) => ({ cells, index }));
  keep($("waiting-rows"), numbered, ({ index }) => index, row(({ cells: [what, of, state] }) =>
    [[what, what === "fault" || what === "outcome" ? "warn" : ""], of, state]));
}

// -- the websocket ------------------------------------------------------------------------------

function showWebsocket(websocket) {
  $("websocket").hidden = websocket === null;
  if (websocket === null) return;
  keep($("websocket-rows"), websocket.latest, ({ number }) => number, row(({ number, to, frame }) => [String(number), String(to), [frame, "why"]]));
  setText($("websocket-count"), counted(websocket.latest.length, websocket.count));
}

// -- requests -----------------------------------------------------------------------------------

const opened = new Set();

function verdict({ verified, canonical, error }) {
  if (verified) return [error ? `verified, refused: ${error}` : "verified", `why${error ? "" : " up"}`];
  return canonical ? [`not verified: ${error}`, "why down"] : [error ?? "not signed", `why${error ? " down" : " muted"}`];
}

function requestCells(request, made) {
  made.button ??= disclosure(made, request.number);
  return [
    made.button,
    request.operation ?? `${request.method} ${request.path}`,
    (made.named ??= request.account ? named(request.account) : element("span", {}, "–")),
    [String(request.status), request.status < 300 ? "" : "down"],
    [request.fault ?? "–", request.fault ? "warn" : "muted"],
    [`${request.milliseconds.toFixed(1)} ms`, "muted"],
    verdict(request),
  ];
}

function disclosure(made, number) {
  const button = element("button", { type: "button", "aria-expanded": "false" }, String(number));
  button.addEventListener("click", () => {
    if (!opened.delete(number)) opened.add(number);
    showRequests(picture.requests);
  });
  return button;
}

function makeDetails(request) {
  const made = element("tr", { className: "details" });
  const what = element("div", {}, `${request.method} ${request.path}`, request.account ? `, account ${request.account}` : "");
  const why = element("div", {}, verdict(request)[0]);
  const cell = element("td", { colSpan: 7 }, what, why);
  if (request.canonical) cell.append(element("div", { className: "muted" }, "What was signed, the canonical text:"), element("pre", {}, request.canonical));
  if (request.answer) {
    const spoiled = request.fault ? `, which the fault ${request.fault} spoiled on its way` : "";
    cell.append(element("div", { className: "muted" }, `The answer of the exchange${spoiled}:`), element("pre", {}, request.answer));
  }
  made.append(cell);
  made.update = () => {};
  return made;
}

function showRequests({ count, latest }) {
  const known = latest.map((request, index) => ({ ...request, number: count - latest.length + index + 1 })).reverse();
  const rows = known.flatMap((request) => (opened.has(request.number) ? [{ request }, { request, details: true }] : [{ request }]));
  const keyOf = ({ request, details }) => `${request.number} ${request.status} ${request.milliseconds} ${details ?? ""}`;
  const make = row(({ request }, made) => requestCells(request, made), { className: "fresh" });
  keep($("requests-rows"), rows, keyOf, (item) => (item.details ? makeDetails(item.request) : make(item)));
  for (const each of $("requests-rows").rows) each.button?.setAttribute("aria-expanded", String(opened.has(Number(each.button.textContent))));
  setText($("requests-count"), counted(latest.length, count));
}

// -- all of it ----------------------------------------------------------------------------------

function showAll() {
  const { sandbox } = picture;
  setText($("about"), `${sandbox.dialect} dialect · seed ${sandbox.seed} · taker delay ${sandbox.taker_delay} s`);
  keep($("tabs"), Object.entries(picture.markets), ([symbol]) => symbol, makeTab);
  showTime();
  showMarket();
  showAccounts(picture.accounts);
  showWaiting(picture);
  showWebsocket(picture.websocket);
  showRequests(picture.requests);
}

setText($("where"), location.host);
document.querySelector("main").append(...Object.entries(TABLES).map(([id, told]) => tableSection(id, ...told)));
setInterval(showTime, 250);
setInterval(() => picture && !frozen() && showChart(), 1000);
new ResizeObserver(() => picture && showChart()).observe($("chart"));
$("ticket").addEventListener("submit", placeOrder);
showControls($("list"), $("find"), $("found"), $("import"));
connect();
