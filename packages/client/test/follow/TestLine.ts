/** A transport that is connected to the test, and the settings of a follower that uses it. */
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { RoomSettings, StartingPoint } from "../../src/follow/channel.ts"
import type { Inbox } from "../../src/plain/Inbox.ts"
import type { Transport } from "../../src/plain/Transport.ts"
import { ModelServer } from "./ModelServer.ts"

export const id = matchId(1)

export const settings: RoomSettings = {
  matchId: id,
  shape: "v2",
  maxRateMs: undefined,
  endWithMatch: true,
  baseDelayMs: 250,
  maxDelayMs: 20_000,
  maxAttempts: 4,
}

export const fromNow: StartingPoint = { cursor: undefined, known: [] }

export class TestLine {
  readonly model = new ModelServer("v2", false, 3)
  connections = 0
  open = 0
  /** Whether connecting succeeds. */
  accepts = true
  #inbox: Inbox | undefined

  readonly transport: Transport = {
    canSend: true,
    connect: (inbox) => {
      this.connections += 1
      this.open += 1
      this.#inbox = inbox
      if (this.accepts) {
        this.model.connect()
        inbox.offer({ _tag: "Opened" })
        this.flush()
      } else inbox.offer({ _tag: "Closed", reason: "refused" })
      return {
        send: (text) => {
          this.model.receive(JSON.parse(text))
          this.flush()
        },
        close: () => {
          this.open -= 1
        },
      }
    },
  }

  /** As a WebSocket does: an overflow ends the connection. */
  flush(): void {
    for (const message of this.model.wire.splice(0)) {
      if (this.#inbox?.offer({ _tag: "Text", text: JSON.stringify(message), id: undefined }) === false) this.#inbox.end()
    }
  }

  make(count = 1): void {
    for (let made = 0; made < count; made++) this.model.make(id)
    this.flush()
  }
}
