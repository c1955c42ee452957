// Elements, made and kept up to date. Texts are set as text alone.

/** Make an element with properties, attributes (those with a dash, `role` and `for`) and children. */
export function element(tag, told = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(told)) {
    if (name.includes("-") || name === "role" || name === "for" || name === "list") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** Set the text of an element if it is another one, so that a selection in it stays. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Bring the children of an element up to date with a list: what stays keeps its element, its focus and its place.
 * `make(item)` returns the element of a new item, whose `update(item)` is called with each later one.
 */
export function keep(parent, items, keyOf, make) {
  const kept = new Map([...parent.children].map((child) => [child.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = kept.get(key);
    kept.delete(key);
    if (!child) {
      child = make(item);
      child.key = key;
    }
    child.update(item);
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
  }
  for (const gone of kept.values()) gone.remove();
}

/** Make a row of a table whose cells are `[text, class]` or elements, by a function of the item. */
export function row(cellsOf, told = {}) {
  return (first) => {
    const made = element("tr", told);
    made.update = (item) => {
      cellsOf(item, made).forEach((cell, index) => {
        const target = made.cells[index] ?? made.insertCell();
        if (cell instanceof Node) {
          if (target.firstChild !== cell) target.replaceChildren(cell);
          return;
        }
        const [text, className = ""] = Array.isArray(cell) ? cell : [cell];
        setText(target, text ?? "–");
        if (target.className !== className) target.className = className;
      });
    };
    return made;
  };
}

/** A line of code with its language and a button that copies it; `code` is the element that holds it. */
export function copied(language, of, code) {
  const button = element("button", { type: "button", "aria-label": `Copy the ${language} line of ${of}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return element("div", { className: "line" }, element("span", {}, language), button, code);
}

/** A section with a table, whose rows come later; `empty` stands there while it has none. */
export function tableSection(id, title, columns, empty) {
  const heading = element("h2", { id: `${id}-title` }, title, element("small", { id: `${id}-count` }));
  const heads = columns.map((column) => element("th", { scope: "col" }, column));
  const table = element("table", { "aria-labelledby": heading.id }, element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", { id: `${id}-rows` }));
  const told = { className: "scroll", tabIndex: 0, role: "group", "aria-labelledby": heading.id };
  const scroll = element("div", told, table, element("p", { className: "empty" }, empty));
  return element("section", { id, "aria-labelledby": heading.id }, heading, scroll);
}

/** Return a number as people read it: with separators, and with so many decimals, if it says how many. */
export function shown(text, decimals) {
  if (text === null || text === undefined) return "–";
  const digits = decimals === undefined ? { maximumFractionDigits: 8 } : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat("en-US", digits).format(text);
}

export const decimalsOf = (step) => (String(step).split(".")[1] ?? "").length;
/** Return market time in ms as a time of day, UTC. */
export const timeOfDay = (ms) => new Date(ms).toISOString().slice(11, 19);

/** Return an address, short enough for a cell. */
export const short = (address) => (address.length > 14 ? `${address.slice(0, 5)}…${address.slice(-4)}` : address);
