/** Tests the messages of Call of Duty in the AsyncAPI document. */
import { assert, describe, it } from "@effect/vitest"
import { codChannels } from "@matchpoint/cod/contract/asyncapi/codChannels"
import { codLive } from "@matchpoint/cod/contract/codLive"
import { LiveCodMatch } from "@matchpoint/cod/contract/LiveCodMatch"
import { frameNames } from "@matchpoint/contracts/game/LiveContract"
import { asyncApi, documentedMessages } from "@matchpoint/cs2/contract/asyncapi/asyncApi"
import { Schema } from "effect"

const document = asyncApi({ host: "api.example.com", secure: true }, [codChannels])
const channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>> = document.channels

describe("Call of Duty in the AsyncAPI document", () => {
  it.each(codChannels.messages.map((message) => [message.name, message] as const))("%s: every example matches its schema", (_, message) => {
    assert.isNotEmpty(message.examples)
    for (const example of message.examples) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(message.schema, { onExcessProperty: "error" })(example), example)
    }
  })

  it("has the message types that the server sends, on its own channels and on those of all games", () => {
    const { delta, snapshot, update } = frameNames(codLive.game)
    for (const name of [delta, snapshot, `${snapshot}.v2`, update]) {
      for (const channel of ["codLive", "codStream", "codReplay", "everyGame", "everyGameStream"]) {
        assert.property(channels[channel]?.messages, name, channel)
      }
      assert.notProperty(channels["live"]?.messages, name)
    }
    for (const { name } of documentedMessages) assert.strictEqual(name in (channels["codLive"]?.messages ?? {}), !name.startsWith("cs2."))
  })

  it("has every field of the match, from one shared definition", () => {
    const { LiveCodMatch: match } = document.components.schemas
    assert.deepStrictEqual(Object.keys(Object(match?.["properties"])), Object.keys(LiveCodMatch.fields))
    assert.strictEqual(JSON.stringify(document).split('"isComplete":{').length - 1, 2)
  })
})
