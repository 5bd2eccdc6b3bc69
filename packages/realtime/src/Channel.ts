/**
 * One way of following a room: its shape and its pace. All clients on a channel get the same bytes at the same time, so
 * each frame is passed to the transports once. It counts its clients, so that channels without any are skipped.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"

/** How often a client gets frames. A number is the interval of conflation in milliseconds. */
export type Pace = "adaptive" | "immediate" | number

export class Channel {
  readonly room: string
  readonly shape: Shape
  readonly pace: Pace
  /** Topic name in the transports. */
  readonly topic: string
  /** Number of followers, including those that are still catching up. */
  members = 0
  /** Number of clients on the topic, by transport. */
  sockets = 0
  streams = 0

  constructor(room: string, shape: Shape, pace: Pace, tier: string) {
    this.room = room
    this.shape = shape
    this.pace = pace
    this.topic = `${room}|${shape}|${pace}|${tier}`
  }

  /** True if publishing on the topic reaches a client. */
  get isHeard(): boolean {
    return this.sockets > 0 || this.streams > 0
  }
}
