/** Shown if the server provides no key or if the previous one was rejected. */
import { h } from "@matchpoint/game/pages/parts/dom"

/** `refusal` is the reason why the previous key was rejected, or null. */
export const keyForm = (refusal: string | null, onKey: (key: string) => void) => {
  const heading = h("h1", {}, refusal === null ? "API key" : "The key was refused")
  const why = h("p", refusal === null ? {} : { class: "refusal", role: "alert" })
  why.textContent = refusal === null ? "This server shows its matches to holders of an API key." : `The server says: ${refusal}.`
  const input = h("input", { id: "key", name: "key", type: "password", autocomplete: "off", spellcheck: "false", required: "" })
  const form = h(
    "form",
    { class: "key-form" },
    h("label", { for: "key" }, "API key"),
    h("div", { class: "key-line" }, input, h("button", { type: "submit" }, "Connect")),
    h("p", { class: "hint" }, "It is kept in this tab only and sent to this server only."),
  )
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const key = input.value.trim()
    if (key !== "") onKey(key)
  })
  return { element: h("div", { class: "notice" }, heading, why, form), input }
}
