/** Says above the matches why no more news come, and what can be done: for what trying again by itself cannot mend. */
import { h } from "../../parts/dom.ts"

/** `message`: the server's own words */
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
