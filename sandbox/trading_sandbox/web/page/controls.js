// The controls: forms made of their schema, each with the Python line and the curl line that do the same.

import { copied, element } from "./dom.js";

const PREFIX = "/sandbox/v1";
const URL = location.origin;

/** List every control that the sandbox has. */
export async function showControls(list, find, found, importing) {
  const code = `from trading_sandbox import RemoteSandbox\nsandbox = RemoteSandbox("${URL}")`;
  importing.replaceChildren(copied("Python", "the import", element("code", {}, code)));
  let schema;
  try {
    schema = await (await fetch(`${PREFIX}/schema`)).json();
  } catch {
    setTimeout(() => showControls(list, find, found, importing), 1000);
    return;
  }
  const made = Object.entries(schema.controls).map(([name, control]) => makeControl(name, control, schema.faults));
  const groups = [...new Set(Object.values(schema.controls).map(({ group }) => group))].map((group) => {
    const inside = made.filter((each) => each.group === group);
    return element("div", {}, element("h3", {}, group), ...inside);
  });
  list.replaceChildren(...groups);
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/);
    for (const each of made) each.hidden = !words.every((word) => each.words.includes(word));
    for (const group of groups) group.hidden = !group.querySelector("details:not([hidden])");
    found.textContent = find.value ? `${made.filter((each) => !each.hidden).length} of ${made.length}` : "";
  });
}

/** Return all words by which a control is found: those of its arguments, too; an amount of money is `money`. */
function wordsOf(name, { description, group, arguments: { properties } }) {
  const told = Object.entries(properties).map(([argument, schema]) =>
    `${argument} ${schema.description ?? ""} ${JSON.stringify(schema).includes('"decimal"') ? "money" : ""}`);
  return [name, group, description, ...told].join(" ").toLowerCase();
}

function makeControl(name, control, faults) {
  const details = element("details", { name: "control" });
  details.group = control.group;
  details.words = wordsOf(name, control);
  const description = control.description.replaceAll("`", "");
  const title = element("summary", {}, name, element("span", {}, description));
  details.append(title);
  details.addEventListener("toggle", () => details.open && details.children.length < 2 && details.append(makeForm(name, { ...control, description }, faults)));
  return details;
}

function makeForm(name, control, faults) {
  const id = (part) => `${name}-${part}`.replaceAll(".", "-");
  const fields = element("div");
  const output = element("output", { id: id("result") });
  const run = element("button", { type: "submit", className: "run" }, "Run");
  const [python, curl] = [element("code", { id: id("python") }), element("code", { id: id("curl") })];
  const form = element("form", { noValidate: false, autocomplete: "off", "aria-label": name },
    element("p", {}, control.description), fields, run,
    copied("Python", name, python), copied("curl", name, curl), output);

  const given = () => [...fields.querySelectorAll("input, select")].map((field) => [field.argument, field.json()]).filter(([, json]) => json !== undefined);
  const body = () => `{${given().map(([argument, json]) => `${JSON.stringify(argument)}: ${json}`).join(", ")}}`;
  const update = () => {
    python.textContent = pythonLine(name, given());
    curl.textContent = `curl ${URL}${PREFIX}/${name} -H 'Content-Type: application/json' -d ${quoted(body())}`;
  };
  const fill = () => {
    const kept = Object.fromEntries([...fields.querySelectorAll("input, select")].map((field) => [field.argument, field.value]));
    const { properties, required } = argumentsOf(control.arguments, faults[kept.kind]);
    fields.replaceChildren(...Object.entries(properties).flatMap(([argument, schema]) => {
      const hint = argument === "kind" ? faults[kept.kind]?.description : undefined;
      return makeField(argument, schema, required.includes(argument), id(argument), hint);
    }));
    for (const field of fields.querySelectorAll("input, select")) field.value = kept[field.argument] ?? "";
  };
  const chooses = "kind" in control.arguments.properties;
  fields.addEventListener("input", (event) => {
    if (chooses && event.target.argument === "kind") {
      fill();
      fields.querySelector(`#${id("kind")}`).focus();
    }
    update();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    run.disabled = true;
    await carryOut(name, body(), output);
    run.disabled = false;
  });
  fill();
  update();
  return form;
}

/** The arguments of a control; of a fault, only those that its kind takes, as that kind takes them. */
function argumentsOf(schema, kind) {
  if (!("kind" in schema.properties)) return schema;
  const always = Object.entries(schema.properties).filter(([name]) => ["operation", "kind", "times", "executed"].includes(name));
  const options = kind?.options ?? { properties: {}, required: [] };
  return { properties: { ...Object.fromEntries(always), ...options.properties }, required: [...schema.required, ...options.required] };
}

function makeField(argument, given, required, id, hint) {
  const nullable = given.anyOf?.some((each) => each.type === "null");
  const schema = given.anyOf ? given.anyOf[0] : given;
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
  const initial = given.default === undefined || given.default === null ? "" : asText(given.default);
  const blank = required ? (nullable ? "null" : "choose") : initial || "default";
  const field = choices
    ? element("select", {}, element("option", { value: "" }, blank), ...choices.map((each) => element("option", { value: each }, String(each))))
    : element("input", { type: "text", placeholder: required && nullable ? "null" : initial, spellcheck: false, autocomplete: "off" });
  if (schema.format === "address") field.setAttribute("list", "addresses");
  if (schema.format === "decimal" || schema.type === "number") field.inputMode = "decimal";
  field.id = id;
  field.argument = argument;
  field.required = required && !nullable;
  field.setAttribute("aria-describedby", `${id}-hint`);
  field.json = () => {
    const text = field.value.trim();
    if (text === "") return required && nullable ? "null" : undefined;
    return jsonOf(text, schema, choices);
  };
  const optional = element("i", {}, required ? "" : " optional");
  const told = [given.description, hint].filter(Boolean).join(" ").replaceAll("`", "");
  return [element("label", { for: id }, argument, optional), field, element("p", { className: "hint", id: `${id}-hint` }, told)];
}

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Return what was typed as JSON; what fits no type is sent as a text, and the sandbox says what is wrong. */
function jsonOf(text, schema, choices) {
  const exact = (schema.type === "integer" && /^-?\d+$/.test(text)) || (schema.type === "number" && /^-?\d+(\.\d+)?$/.test(text));
  if (exact || (choices && schema.type === "boolean")) return text;
  if (schema.type === "array" && !text.startsWith("[")) return JSON.stringify(text.split(",").map((each) => each.trim()));
  if (["object", "array", undefined].includes(schema.type) && !choices) {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      // A text.
    }
  }
  return JSON.stringify(text);
}

function pythonLine(name, given) {
  const told = given.map(([argument, json]) => [argument, /^-?\d+$/.test(json) ? json : python(JSON.parse(json))]);
  if (name === "requests") return `sandbox.requests[-${told[0]?.[1] ?? 100}:]`;
  return `sandbox.${name}(${told.map(([argument, text]) => `${argument}=${text}`).join(", ")})`;
}

function python(value) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// -- results --------------------------------------------------------------------------------------

/** Carry out a control; return its result, or what is wrong. */
export async function invoke(name, body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${PREFIX}/${name}`, { method: "POST", headers, body });
    const told = await answer.json();
    return answer.ok ? { result: told.result } : { error: told.error };
  } catch {
    return { error: "The sandbox does not answer" };
  }
}

async function carryOut(name, body, output) {
  const { result: given, error } = await invoke(name, body);
  const failed = error !== undefined;
  output.className = failed ? "failed" : "";
  const result = failed ? error : given;
  const shown = element("pre", {}, failed ? result : result === null ? "Done." : hidden(result, false));
  output.replaceChildren(shown);
  if (!failed && result?.private_key) {
    const show = element("button", { type: "button" }, "Show the private key");
    show.addEventListener("click", () => {
      shown.textContent = hidden(result, true);
      show.replaceWith(element("p", { className: "hint" }, "A key of this sandbox only: anybody can derive it. Never fund it."));
    });
    output.append(show);
  }
}

/** Return a result as text, without keys and signatures; a key that the control has just made may be asked for. */
function hidden(result, withKey) {
  const hide = (name, value) => {
    if (/signature|api.?key/i.test(name) || (name === "private_key" && !withKey)) return "(not shown)";
    return typeof value === "string" ? value.replace(/(api_keys?":)(?:"[^"]*"?|\[[^\]]*\]?)/g, '$1"(not shown)"') : value;
  };
  return JSON.stringify(result, hide, 2);
}
