/** The reference in the browser: the filter, links to operations, and requests from the page. */

/** A stream is read for this long, and an answer up to this many characters. */
const STREAM_MS = 10_000
const MAX_SHOWN = 200_000

/**
 * @template {Element} Kind
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
const find = (parent, selector, kind) => {
  const found = parent.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${selector}`)
}

/** @type {(selector: string) => Array<HTMLElement>} */
const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement)

const root = document.body.dataset["root"] ?? ""
const keyField = find(document, "#key", HTMLInputElement)
const filter = find(document, "#filter", HTMLInputElement)

const showTarget = () => {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
  if (target instanceof HTMLDetailsElement) target.open = true
  target?.scrollIntoView()
}

const applyFilter = () => {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const element of all("[data-text]")) {
    element.hidden = !words.every((word) => element.dataset["text"]?.includes(word))
  }
  for (const section of all("main > section:not(.intro)")) {
    section.hidden = section.querySelector("[data-text]:not([hidden])") === null
  }
}

/**
 * Returns the address below the root of the server, and what to send.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} operation
 */
const requestOf = (form, { dataset }) => {
  const headers = new Headers(keyField.value === "" ? {} : { "x-api-key": keyField.value })
  const query = new URLSearchParams()
  let path = dataset["path"] ?? ""
  for (const field of form.querySelectorAll("input, select")) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.value === "") continue
    const place = field.dataset["in"]
    if (place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (place === "header") headers.set(field.name, field.value)
    else query.set(field.name, field.value)
  }
  const body = form.querySelector("textarea")?.value ?? null
  if (body !== null) headers.set("content-type", "application/json")
  const search = query.toString()
  return {
    url: `${path}${search === "" ? "" : `?${search}`}`,
    options: { method: dataset["method"]?.toUpperCase() ?? "GET", headers, body },
  }
}

/** @param {Response} response */
const textOf = async (response) => {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("image/png")) return `${(await response.blob()).size} bytes of ${type}`
  const reader = response.body?.getReader()
  if (reader === undefined) return ""
  const timer = type.startsWith("text/event-stream") ? setTimeout(() => reader.cancel(), STREAM_MS) : undefined
  const decoder = new TextDecoder()
  let text = ""
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    if (text.length > MAX_SHOWN) await reader.cancel()
  }
  clearTimeout(timer)
  return type.includes("json") && text.length <= MAX_SHOWN ? JSON.stringify(JSON.parse(text), null, 2) : text
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} operation
 */
const send = async (form, operation) => {
  const { options, url } = requestOf(form, operation)
  const status = find(form, ".status", HTMLElement)
  const output = find(form, "pre", HTMLElement)
  find(form, ".request", HTMLElement).textContent = `${options.method} ${url}`
  find(form, ".response", HTMLElement).hidden = false
  status.textContent = "Waiting for the answer"
  output.textContent = ""
  const start = performance.now()
  try {
    const answer = await fetch(root + url.slice(1), options)
    const limits = answer.headers.get("ratelimit")
    const time = `${Math.round(performance.now() - start)} ms`
    status.textContent = [`${answer.status} ${answer.statusText}`, time, ...(limits === null ? [] : [`RateLimit: ${limits}`])].join(", ")
    output.textContent = await textOf(answer)
  } catch (error) {
    status.textContent = `No answer: ${error instanceof Error ? error.message : error}`
  }
}

document.addEventListener("submit", (event) => {
  event.preventDefault()
  const form = event.target
  const operation = form instanceof HTMLFormElement ? form.closest("details") : null
  if (form instanceof HTMLFormElement && operation !== null) void send(form, operation)
})
filter.addEventListener("input", applyFilter)
keyField.addEventListener("input", () => sessionStorage.setItem("matchpoint-key", keyField.value))
keyField.value = sessionStorage.getItem("matchpoint-key") ?? document.body.dataset["key"] ?? ""
addEventListener("hashchange", showTarget)
showTarget()
