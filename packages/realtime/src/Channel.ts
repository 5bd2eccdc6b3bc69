/**
 * One way of following a room: its shape and its pace. Everyone on a channel gets the same bytes at the same time, so each frame is
 * handed to the transports once. Counts who is on it, to leave out channels that nobody follows.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"

/** A number is a conflation step in ms. */
export type Pace = "adaptive" | "immediate" | number

export class Channel {
  readonly room: string
  readonly shape: Shape
  readonly pace: Pace
  /** The transports' topic. */
  readonly topic: string
  /** Those who follow, the ones that are still catching up included. */
  members = 0
  /** Those who are on the topic, by transport. */
  sockets = 0
  streams = 0

  constructor(room: string, shape: Shape, pace: Pace, tier: string) {
    this.room = room
    this.shape = shape
    this.pace = pace
    this.topic = `${room}|${shape}|${pace}|${tier}`
  }

  /** Whether publishing on the topic reaches anyone. */
  get isHeard(): boolean {
    return this.sockets > 0 || this.streams > 0
  }
}
