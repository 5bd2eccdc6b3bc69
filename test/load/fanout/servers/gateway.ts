// Owns our own server under measurement, fed with records of LIVE. See lib/liveGateway.ts.
import { EventLog } from "@matchpoint/bus/EventLog"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { gatewayOn, MemoryLog } from "../../lib/liveGateway.ts"
import type { FanoutServer } from "../server.ts"

export const serve = async (): Promise<FanoutServer> => {
  const context = await ManagedRuntime.make(gatewayOn(0).pipe(Layer.provideMerge(MemoryLog))).context()
  const { address } = Context.get(context, UwsServer)
  const log = Context.get(context, EventLog)
  return {
    port: address.port,
    // Appends the record as a match actor does. The gateway does the rest.
    publish: ({ matchId, epoch, seq, record }) => {
      Effect.runSync(log.append(liveSubject(matchId), liveMessageId(matchId, epoch, seq), record()))
    },
  }
}
