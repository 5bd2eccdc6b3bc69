/**
 * A channel is one way of receiving the frames of a room (a set of matches): a message format (v1 or v2) and a pace.
 * All clients on a channel get the same bytes at the same time, so each frame is passed to the transports (WebSocket
 * and SSE) only once per channel. A channel counts its clients, so that channels without clients can be skipped.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"

/**
 * How often a client gets frames. A number is an interval in milliseconds: the frames of an interval are combined
 * (conflated) into one. `immediate` sends every frame at once; `adaptive` may send frames in batches when the server is
 * busy.
 */
export type Pace = "adaptive" | "immediate" | number

export class Channel {
  readonly room: string
  readonly shape: Shape
  readonly pace: Pace
  /** Topic under which the WebSocket and SSE transports publish the channel's messages. */
  readonly topic: string
  /**
   * Number of clients that use the channel, including those that still receive older frames individually before they
   * join its topic.
   */
  members = 0
  /** Numbers of clients subscribed to the topic, by transport: `sockets` for WebSockets, `streams` for SSE streams. */
  sockets = 0
  streams = 0
  /** Bytes published to the WebSockets of the channel so far. */
  socketBytes = 0

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
