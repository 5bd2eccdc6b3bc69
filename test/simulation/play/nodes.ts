/**
 * The processes of a simulated installation, built from the real services: nodes that run matches, and gateways that
 * clients connect to. Each can be stopped gracefully, frozen, or killed. After a kill, its operations have no effect
 * outside it.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { GatewayServices, GatewayStreams } from "@matchpoint/service-gateway/Gateway"
import { LoopLoad } from "@matchpoint/service-gateway/LoopLoad"
import { LostMatches } from "@matchpoint/service-match/LostMatches"
import { MatchSupervisor } from "@matchpoint/service-match/MatchSupervisor"
import { PartitionHost } from "@matchpoint/service-match/placement/PartitionHost"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { generousMetering } from "../../fixtures/metering/metering.ts"
import type { NodeClock } from "../machine/NodeClock.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import { SimulatedServer } from "../network/SimulatedServer.ts"
import type { FaultyLog } from "../storage/FaultyLog.ts"
import { type MemoryStore, type StoreLink, simulatedKeys } from "../storage/MemoryStore.ts"

export class MatchNode {
  readonly log: FaultyLog
  readonly #link: StoreLink
  readonly #scope = Scope.makeUnsafe()
  readonly #store: MemoryStore

  readonly #game: LiveGame
  readonly #partitions: ReadonlyArray<number> | undefined
  readonly #looksForLost: boolean
  readonly clock: NodeClock

  constructor(options: {
    readonly game: LiveGame
    readonly log: FaultyLog
    readonly store: MemoryStore
    readonly link: StoreLink
    readonly clock: NodeClock
    /** Partitions that a cluster has assigned to the node. Default: the node runs all announced matches. */
    readonly partitions: ReadonlyArray<number> | undefined
    /** Looks for lost matches at its start. */
    readonly looksForLost: boolean
  }) {
    this.#game = options.game
    this.#partitions = options.partitions
    this.#looksForLost = options.looksForLost
    this.clock = options.clock
    this.log = options.log
    this.#store = options.store
    this.#link = options.link
  }

  readonly start = Effect.suspend(() =>
    matchesOf([this.#game], this.#partitions).pipe(
      Layer.provide(this.#looksForLost ? LostMatches.layer([this.#game]) : Layer.empty),
      Layer.provide([MatchCheckpoints.layer, Rejections.layer]),
      Layer.provide(this.#store.layer(this.#link)),
      Layer.provide(Layer.succeed(EventLog, this.log.service)),
      Layer.buildWithScope(this.#scope),
      Effect.provideService(Clock.Clock, this.clock.clock),
    ),
  )

  readonly stop = Effect.suspend(() => Scope.close(this.#scope, Exit.void))

  /** Stops the node as `kill -9` does. */
  readonly kill = Effect.suspend(() => {
    this.log.die()
    this.#link.dead = true
    return Scope.close(this.#scope, Exit.void)
  })
}

const matchesOf = (games: ReadonlyArray<LiveGame>, partitions: ReadonlyArray<number> | undefined) =>
  partitions === undefined
    ? MatchSupervisor.layer(games)
    : Layer.effectDiscard(
        Effect.flatMap(PartitionHost, ({ own }) => Effect.forEach(partitions, (partition) => own(partition), { discard: true })),
      ).pipe(Layer.provide(PartitionHost.layer(games)))

export class GatewayNode {
  readonly log: FaultyLog
  readonly server: SimulatedServer
  readonly #link: StoreLink
  readonly #scope = Scope.makeUnsafe()
  readonly clock: NodeClock
  readonly #settings: GatewaySettings
  readonly #load: () => number
  /** Whether clients can find it. */
  isUp = false

  constructor(options: {
    readonly loop: VirtualLoop
    readonly log: FaultyLog
    readonly link: StoreLink
    readonly settings: GatewaySettings
    readonly load: () => number
    readonly clock: NodeClock
  }) {
    this.clock = options.clock
    this.log = options.log
    this.server = new SimulatedServer(options.loop)
    this.#link = options.link
    this.#settings = options.settings
    this.#load = options.load
  }

  readonly start = Effect.suspend(() =>
    GatewayStreams.pipe(
      Layer.provide(GatewayServices),
      Layer.provide(generousMetering),
      Layer.provide(this.server.layer),
      Layer.provide(simulatedKeys(this.#link)),
      Layer.provide(Layer.succeed(EventLog, this.log.service)),
      Layer.provide(Layer.succeed(GatewayConfig, this.#settings)),
      Layer.provide(Layer.succeed(LoopLoad, this.#load)),
      Layer.buildWithScope(this.#scope),
      Effect.provideService(Clock.Clock, this.clock.clock),
      Effect.tap(() =>
        Effect.sync(() => {
          this.isUp = true
        }),
      ),
    ),
  )

  /** Shuts down gracefully: clients are asked to reconnect elsewhere. */
  readonly drain = Effect.suspend(() => {
    this.isUp = false
    return Scope.close(this.#scope, Exit.void)
  })

  /**
   * Stops the gateway as `kill -9` does, or together with its machine. `kept`: share of the data in transit that still
   * arrives, 0..1.
   */
  readonly kill = (kept: number, silently: boolean) =>
    Effect.suspend(() => {
      this.isUp = false
      this.log.die()
      this.#link.dead = true
      this.server.vanish(kept, silently)
      return Scope.close(this.#scope, Exit.void)
    })
}
