/** Shown above the matches when updates have stopped: the reason, and the offer to try again or to use another key. */
import { h } from "@matchpoint/game/pages/parts/dom"

/** `message` is from the server. */
export const stoppedNotice = (message: string, { again, otherKey }: { readonly again: () => void; readonly otherKey: () => void }) => {
  const retry = h("button", { type: "button" }, "Try again")
  const change = h("button", { type: "button" }, "Use another key")
  retry.addEventListener("click", again)
  change.addEventListener("click", otherKey)
  return h(
    "div",
    { class: "stopped", role: "alert" },
    h("p", {}, h("strong", {}, "No more updates. "), `The server says: ${message}.`),
    h("div", { class: "stopped-actions" }, retry, change),
  )
}
