/**
 * The channels of one tier by room, and their conflations. A channel exists as long as it has clients. Publishes
 * nothing.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { MatchId } from "@matchpoint/domain/ids"
import { Channel, type Pace } from "./Channel.ts"
import { Conflation } from "./Conflation.ts"

export class ChannelRegistry {
  readonly #tier: string
  readonly #byRoom = new Map<string, Array<Channel>>()
  readonly #conflations = new Map<Channel, Conflation>()
  readonly #wakeStep = new Map<number, () => void>()
  /** Called when a room gets its first client (true), and when its last client has left it (false). */
  onFollowed: (room: string, isFollowed: boolean) => void = () => {}

  /** `tier` is part of the channels' topics. */
  constructor(tier: string) {
    this.#tier = tier
  }

  get byRoom(): ReadonlyMap<string, ReadonlyArray<Channel>> {
    return this.#byRoom
  }

  get conflations(): ReadonlyMap<Channel, Conflation> {
    return this.#conflations
  }

  open(room: string, shape: Shape, pace: Pace): Channel {
    const channels = this.#byRoom.get(room) ?? []
    const known = channels.find((channel) => channel.shape === shape && channel.pace === pace)
    if (known !== undefined) return known
    const channel = new Channel(room, shape, pace, this.#tier)
    channels.push(channel)
    this.#byRoom.set(room, channels)
    if (channels.length === 1) this.onFollowed(room, true)
    if (typeof pace === "number") {
      this.#conflations.set(channel, new Conflation(shape))
      this.#wakeStep.get(pace)?.()
    }
    return channel
  }

  /** Removes a channel that has no clients. Must be called after a client has left it. */
  release(channel: Channel): void {
    if (channel.members > 0) return
    const rest = (this.#byRoom.get(channel.room) ?? []).filter((one) => one !== channel)
    if (rest.length === 0) {
      if (this.#byRoom.delete(channel.room)) this.onFollowed(channel.room, false)
    } else this.#byRoom.set(channel.room, rest)
    this.#conflations.delete(channel)
  }

  /**
   * `wake` is called when a channel is created that combines its frames every `stepMs` milliseconds. From then on,
   * `Edge.step` must be called once per interval, until it returns false.
   */
  onConflation(stepMs: number, wake: () => void): void {
    this.#wakeStep.set(stepMs, wake)
  }

  clearConflations(): void {
    for (const conflation of this.#conflations.values()) conflation.clear()
  }

  forget(matchId: MatchId): void {
    for (const conflation of this.#conflations.values()) conflation.forget(matchId)
  }
}
