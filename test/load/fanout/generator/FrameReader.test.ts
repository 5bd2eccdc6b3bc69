import { assert, describe, it } from "@effect/vitest"
import { FrameReader, httpChunkHead, webSocketHead } from "./FrameReader.ts"

interface Unit {
  readonly opcode: number
  readonly length: number
  /** The last bytes of the payload, as far as they are in the chunk that completed it. */
  readonly tail: string
}

/** Reads the stream in pieces of `size` bytes through one reused buffer, as sockets do. */
const unitsOf = (stream: Buffer, size: number, readHead: typeof webSocketHead): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  const reader = new FrameReader(readHead, (opcode, length, chunk, end) => {
    units.push({ opcode, length, tail: chunk.toString("latin1", Math.max(0, end - Math.min(length, 2)), end) })
  })
  const buffer = Buffer.alloc(size)
  for (let at = 0; at < stream.length; at += size) reader.read(buffer, stream.copy(buffer, 0, at, at + size))
  return units
}

const frame = (opcode: number, payload: string): Buffer => {
  const bytes = Buffer.from(payload, "latin1")
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, bytes])
}

const chunk = (payload: string): Buffer => Buffer.from(`${payload.length.toString(16)}\r\n${payload}\r\n`, "latin1")

const sizes = [1, 2, 3, 5, 7, 64, 1_000, 1_000_000]

describe("FrameReader", () => {
  it("finds WebSocket frames of every length, however the stream is split", () => {
    const payloads = ["", "a", "b".repeat(125), "c".repeat(126), "d".repeat(1_024), "e".repeat(65_536)]
    const stream = Buffer.concat([...payloads.map((payload) => frame(1, payload)), frame(9, ""), frame(8, "zz")])
    for (const size of sizes) {
      const units = unitsOf(stream, size, webSocketHead)
      assert.deepStrictEqual(
        units.map(({ opcode, length }) => [opcode, length]),
        [...payloads.map((payload) => [1, payload.length]), [9, 0], [8, 2]],
      )
      for (const [index, payload] of payloads.entries()) assert.isTrue(payload.endsWith(units[index]?.tail ?? "missing"))
    }
  })

  it("finds HTTP chunks and excludes their line ends from the payload", () => {
    const payloads = [":\n\n", "data: x\n\n", "y".repeat(1_024)]
    const stream = Buffer.concat(payloads.map(chunk))
    for (const size of sizes) {
      const units = unitsOf(stream, size, httpChunkHead)
      assert.deepStrictEqual(
        units.map(({ length }) => length),
        payloads.map((payload) => payload.length),
      )
      for (const [index, payload] of payloads.entries()) assert.isTrue(payload.endsWith(units[index]?.tail ?? "missing"))
    }
  })

  it("rejects input that the measured servers never send", () => {
    assert.throws(() => unitsOf(Buffer.from([0x01, 0x01, 0x61]), 3, webSocketHead), /fragmented/)
    assert.throws(() => unitsOf(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61]), 7, webSocketHead), /masked/)
    assert.throws(() => unitsOf(Buffer.from("xyz\r\n"), 5, httpChunkHead), /without a size/)
  })
})
