/** Announces to screen readers what sighted visitors see: important events of the match and a lost connection. */
import type { ConnectionState } from "@matchpoint/game/pages/live/Connection"

export const announcer = (region: HTMLElement) => {
  let before: ConnectionState["kind"] = "connecting"
  const announce = (words: string) => {
    region.textContent = words
  }
  return {
    announce,
    connection(state: ConnectionState) {
      if (state.kind === "waiting" && before !== "waiting" && before !== "connecting") announce("The connection was lost. Reconnecting.")
      if (state.kind === "stopped") announce("The connection has ended.")
      if (state.kind === "open" && region.textContent?.startsWith("The connection was lost")) announce("Connected again.")
      before = state.kind
    },
  }
}
