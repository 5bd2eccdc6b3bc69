import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { ClientMessage, decodeClientMessage } from "@matchpoint/contracts/stream/messages"
import { socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { GameName } from "@matchpoint/domain/ids"
import { Result, Schema } from "effect"
import { asyncApi, documentedMessages } from "../../../src/contract/asyncapi/asyncApi.ts"
import { LiveMatch } from "../../../src/contract/LiveMatch.ts"
import { decodeServerMessage, ServerMessage } from "../../../src/contract/serverMessages.ts"

const document = asyncApi({ host: "api.example.com", secure: true })
const names = documentedMessages.map(({ name }) => name)

describe("messages of the AsyncAPI document", () => {
  it("include every message of the contract, with a unique name", () => {
    assert.strictEqual(names.length, ServerMessage.members.length + ClientMessage.members.length)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(Object.keys(document.components.messages), names)
  })

  it.each(documentedMessages.map((message) => [message.name, message] as const))(
    "%s: every example matches its schema and the union of messages",
    (_, message) => {
      assert.isNotEmpty(message.examples)
      const decodeText = message.from === "server" ? decodeServerMessage : decodeClientMessage
      for (const example of message.examples) {
        assert.deepStrictEqual(Schema.decodeUnknownSync(message.schema)(example), example)
        assert.deepStrictEqual(Result.getOrThrow<unknown, unknown>(decodeText(JSON.stringify(example))), example)
      }
    },
  )

  it("belong to an operation of the server or the client", () => {
    const { followLive, askLive } = document.operations
    const messageNames = [...followLive.messages, ...askLive.messages].map(({ $ref }) => $ref.slice("#/channels/live/messages/".length))
    assert.deepStrictEqual(messageNames, names)
  })

  it("have every field of the match, from one shared definition", () => {
    const { LiveMatch: match } = document.components.schemas
    assert.deepStrictEqual(Object.keys(Object(match?.["properties"])), Object.keys(LiveMatch.fields))
    const text = JSON.stringify(document)
    assert.strictEqual(text.split('"unavailableFields":{').length - 1, 2)
  })
})

describe("AsyncAPI document", () => {
  it("lists every close code and whether to reconnect", () => {
    assert.deepStrictEqual(document.channels.live["x-close-codes"], closeCodes)
    for (const { code } of Object.values(closeCodes)) assert.include(document.channels.live.description, `| ${code} |`)
  })

  it("describes the channels of one game and of all games", () => {
    const game = GameName.make("cs2")
    const addresses = [socketPathOf, streamPathOf].flatMap((pathOf) => [game, undefined].map((followed) => API_ROOT + pathOf(followed)))
    const described = Object.values(document.channels).map(({ address }) => address)
    for (const address of addresses) assert.include(described, address)
    for (const name of Object.keys(document.channels)) {
      assert.include(JSON.stringify(document.operations), `"#/channels/${name}"`)
    }
  })

  it("contains the target of every reference", () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    assert.isNotEmpty(references)
    for (const reference of references) {
      const path = reference.slice('"$ref":"#/'.length, -1).split("/")
      const target = path.reduce<unknown>((node, key) => Object(node)[key], document)
      assert.isDefined(target, reference)
    }
  })
})
