/** Tests the messages of tennis in the AsyncAPI document. */
import { assert, describe, it } from "@effect/vitest"
import { frameNames } from "@matchpoint/contracts/game/LiveContract"
import { asyncApi, documentedMessages } from "@matchpoint/cs2/contract/asyncapi/asyncApi"
import { tennisChannels } from "@matchpoint/tennis/contract/asyncapi/tennisChannels"
import { LiveTennisMatch } from "@matchpoint/tennis/contract/LiveTennisMatch"
import { tennisLive } from "@matchpoint/tennis/contract/tennisLive"
import { Schema } from "effect"

const document = asyncApi({ host: "api.example.com", secure: true }, [tennisChannels])
const channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>> = document.channels

describe("tennis in the AsyncAPI document", () => {
  it.each(tennisChannels.messages.map((message) => [message.name, message] as const))(
    "%s: every example matches its schema",
    (_, message) => {
      assert.isNotEmpty(message.examples)
      for (const example of message.examples) {
        assert.deepStrictEqual(Schema.decodeUnknownSync(message.schema, { onExcessProperty: "error" })(example), example)
      }
    },
  )

  it("has the message types that the server sends, on its own channels and on those of all games", () => {
    const { delta, snapshot, update } = frameNames(tennisLive.game)
    for (const name of [delta, snapshot, `${snapshot}.v2`, update]) {
      for (const channel of ["tennisLive", "tennisStream", "tennisReplay", "everyGame", "everyGameStream"]) {
        assert.property(channels[channel]?.messages, name, channel)
      }
      assert.notProperty(channels["live"]?.messages, name)
    }
    for (const { name } of documentedMessages)
      assert.strictEqual(name in (channels["tennisLive"]?.messages ?? {}), !name.startsWith("cs2."))
  })

  it("has every field of the match, from one shared definition", () => {
    const { LiveTennisMatch: match } = document.components.schemas
    assert.deepStrictEqual(Object.keys(Object(match?.["properties"])), Object.keys(LiveTennisMatch.fields))
    assert.strictEqual(JSON.stringify(document).split('"momentum":{').length - 1, 2)
  })
})
