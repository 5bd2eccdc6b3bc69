/**
 * The few DOM operations that the views share. Views build their elements once and then change only what differs, so that focus,
 * selection and animations survive hundreds of updates a minute. Text goes in as text: nothing here parses HTML.
 */

/** @typedef {{ readonly element: Element }} Built */

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/**
 * @param {Element} element
 * @param {string | number} text
 */
export const setText = (element, text) => {
  const next = String(text)
  if (element.textContent !== next) element.textContent = next
}

/**
 * Null takes the attribute away.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export const setAttribute = (element, name, value) => {
  if (value === null) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/**
 * @param {HTMLElement} element
 * @param {boolean} visible
 */
export const show = (element, visible) => {
  if (element.hidden === visible) element.hidden = !visible
}

/**
 * Replaces the children, unless `key` says that they would be the same.
 * @param {Element} element
 * @param {string} key
 * @param {() => ReadonlyArray<Node | string>} children
 */
export const setChildren = (element, key, children) => {
  if (element.getAttribute("data-content") === key) return
  element.setAttribute("data-content", key)
  element.replaceChildren(...children())
}

/**
 * A list whose rows are kept by key: created once, updated, moved, removed.
 * @template Item
 * @param {Element} parent
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => { readonly element: Element, readonly update: (item: Item) => void }} create
 * @returns {(items: ReadonlyArray<Item>) => void}
 */
export const keyedRows = (parent, keyOf, create) => {
  /** @type {Map<string, ReturnType<typeof create>>} */
  const rows = new Map()
  return (items) => {
    const keys = new Set(items.map(keyOf))
    for (const [key, row] of rows) {
      if (keys.has(key)) continue
      row.element.remove()
      rows.delete(key)
    }
    /** @type {Element | null} */
    let expected = parent.firstElementChild
    for (const item of items) {
      const key = keyOf(item)
      const row = rows.get(key) ?? create(item)
      rows.set(key, row)
      row.update(item)
      if (row.element === expected) expected = expected.nextElementSibling
      else parent.insertBefore(row.element, expected)
    }
  }
}
