/**
 * DOM operations that the views share. A view builds its elements once. Later it changes only what differs, so that
 * focus, selection and animations survive hundreds of updates a minute. Text is always inserted as text nodes; nothing
 * in this module parses HTML.
 */

export const h = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

export const setText = (element: Element, text: string | number) => {
  const next = String(text)
  if (element.textContent !== next) element.textContent = next
}

/** `null` removes the attribute. */
export const setAttribute = (element: Element, name: string, value: string | null) => {
  if (value === null) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

export const show = (element: HTMLElement, visible: boolean) => {
  if (element.hidden === visible) element.hidden = !visible
}

/** Does nothing if `key` is that of the current children. */
export const setChildren = (element: Element, key: string, children: () => ReadonlyArray<Node | string>) => {
  if (element.getAttribute("data-content") === key) return
  element.setAttribute("data-content", key)
  element.replaceChildren(...children())
}

/** Creates, updates, moves or removes rows, which are identified by key. Returns a function that takes the items to show. */
export const keyedRows = <Item>(
  parent: Element,
  keyOf: (item: Item) => string,
  create: (item: Item) => { readonly element: Element; readonly update: (item: Item) => void },
): ((items: ReadonlyArray<Item>) => void) => {
  const rows: Map<string, ReturnType<typeof create>> = new Map()
  return (items) => {
    const keys = new Set(items.map(keyOf))
    for (const [key, row] of rows) {
      if (keys.has(key)) continue
      row.element.remove()
      rows.delete(key)
    }
    let expected: Element | null = parent.firstElementChild
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
