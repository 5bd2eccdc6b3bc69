/**
 * A channel is one way of following a room: a message shape and a pace. All clients on a channel get the same bytes at
 * the same time, so each frame is passed to the transports only once per channel. A channel counts its clients, so that
 * channels without clients can be skipped.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"

/**
 * How often a client gets frames. A number is the interval in milliseconds at which frames are conflated. `immediate`
 * sends every frame at once; `adaptive` may send frames in batches when the server is busy.
 */
export type Pace = "adaptive" | "immediate" | number

export class Channel {
  readonly room: string
  readonly shape: Shape
  readonly pace: Pace
  /** Name of the channel's topic in the transports. */
  readonly topic: string
  /** Number of clients that follow the channel, including those that are still catching up. */
  members = 0
  /** Number of clients subscribed to the topic, by transport: `sockets` are WebSockets, `streams` are SSE streams. */
  sockets = 0
  streams = 0

  constructor(room: string, shape: Shape, pace: Pace, tier: string) {
    this.room = room
    this.shape = shape
    this.pace = pace
    this.topic = `${room}|${shape}|${pace}|${tier}`
  }

  /** True if at least one client is subscribed to the topic and receives what is published. */
  get hasClients(): boolean {
    return this.sockets > 0 || this.streams > 0
  }
}
