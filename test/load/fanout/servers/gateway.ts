// Owns our own server under measurement: the gateway's hub and channels as they run in production, fed from an in-memory LIVE log.
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { LIVE, liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { Unauthorized } from "@matchpoint/contracts/http/errors"
import { encodeUpdate } from "@matchpoint/contracts/stream/frames"
import { Authenticator, howToAuthenticate } from "@matchpoint/service-gateway/Authenticator"
import { LiveHub } from "@matchpoint/service-gateway/LiveHub"
import { LiveSocket } from "@matchpoint/service-gateway/stream/LiveSocket"
import { LiveStream } from "@matchpoint/service-gateway/stream/LiveStream"
import { ApiKeyId } from "@matchpoint/store/ApiKeys"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { apiKey } from "../apiKey.ts"
import type { FanoutServer } from "../server.ts"

const key = { keyId: ApiKeyId.make("00000000-0000-4000-8000-000000000001"), plan: "enterprise", label: "fan-out measurement" } as const

const OneKey = Layer.succeed(Authenticator)({
  authenticate: (secret) => (Redacted.value(secret) === apiKey ? Effect.succeed(key) : Unauthorized.because(howToAuthenticate)),
})

const Log = EventLogMemory.layer({ streams: [{ name: LIVE, subjects: ["live.cs2.*"], maxBytes: 64 * 1024 * 1024 }] })

const Gateway = Layer.mergeAll(LiveSocket.layer, LiveStream.layer).pipe(
  Layer.provide(LiveHub.layer),
  Layer.provide(OneKey),
  Layer.provideMerge(Layer.mergeAll(UwsServer.layer({ port: 0, host: "127.0.0.1" }), Log)),
)

export const serve = async (): Promise<FanoutServer> => {
  const context = await ManagedRuntime.make(Gateway).context()
  const { address } = Context.get(context, UwsServer)
  const log = Context.get(context, EventLog)
  return {
    port: address.port,
    // What a match actor does with a frame; from here on it is the gateway's.
    publish: (update) => {
      const { matchId, epoch, seq } = update
      Effect.runSync(log.append(liveSubject(matchId), liveMessageId(matchId, epoch, seq), encodeUpdate(update)))
    },
  }
}
