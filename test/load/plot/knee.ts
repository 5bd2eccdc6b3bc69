// Owns the chart of a fan-out sweep: delivered frames and latency by requested rate. A hand-written SVG.

/** Result of one server at one rate. */
export interface Point {
  /** Requested deliveries per second. */
  readonly offered: number
  readonly delivered: number
  readonly p99Ms: number
}

export interface Series {
  readonly name: string
  readonly points: ReadonlyArray<Point>
}

const colors = ["#1f6feb", "#d29922", "#6e7781", "#cf222e", "#8250df", "#1a7f37", "#bf3989"]
const WIDTH = 460
const HEIGHT = 300
const LEFT = 64
const TOP = 44
const GAP = 84
const BOTTOM = 84

/** Returns the position of a value between the ends of a logarithmic axis, 0..1. */
const logarithmic = (value: number, least: number, most: number): number => Math.log(value / least) / Math.log(most / least)

const readable = (value: number): string => (value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value))

/** Returns 1, 2 and 5 times powers of ten, from below the minimum to above the maximum. */
const ticksOf = (least: number, most: number): ReadonlyArray<number> => {
  const ticks: Array<number> = []
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const factor of [1, 2, 5]) ticks.push(factor * 10 ** power)
  }
  const first = ticks.findLastIndex((tick) => tick <= least)
  const last = ticks.findIndex((tick) => tick >= most)
  return ticks.slice(Math.max(0, first), last + 1)
}

interface Panel {
  readonly title: string
  readonly left: number
  readonly y: (point: Point) => number
}

const panelOf = ({ title, left, y }: Panel, all: ReadonlyArray<Series>): string => {
  const points = all.flatMap((series) => series.points)
  const xTicks = ticksOf(Math.min(...points.map((point) => point.offered)), Math.max(...points.map((point) => point.offered)))
  const yTicks = ticksOf(Math.min(...points.map(y)), Math.max(...points.map(y)))
  const at = (value: number, ticks: ReadonlyArray<number>) => logarithmic(value, ticks[0] ?? 1, ticks.at(-1) ?? 10)
  const px = (value: number) => (left + at(value, xTicks) * WIDTH).toFixed(1)
  const py = (value: number) => (TOP + HEIGHT - at(value, yTicks) * HEIGHT).toFixed(1)
  const grid = [
    ...xTicks.map(
      (tick) =>
        `<path d="M${px(tick)} ${TOP}v${HEIGHT}" stroke="#d0d7de"/><text x="${px(tick)}" y="${TOP + HEIGHT + 16}" text-anchor="middle">${readable(tick)}</text>`,
    ),
    ...yTicks.map(
      (tick) =>
        `<path d="M${left} ${py(tick)}h${WIDTH}" stroke="#d0d7de"/><text x="${left - 6}" y="${Number(py(tick)) + 4}" text-anchor="end">${readable(tick)}</text>`,
    ),
  ]
  const lines = all.map(({ points: own }, index) => {
    const color = colors[index % colors.length]
    const path = own.map((point, n) => `${n === 0 ? "M" : "L"}${px(point.offered)} ${py(y(point))}`).join("")
    const dots = own.map((point) => `<circle cx="${px(point.offered)}" cy="${py(y(point))}" r="3" fill="${color}"/>`).join("")
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots}`
  })
  return [
    `<text x="${left}" y="${TOP - 14}" font-weight="bold">${title}</text>`,
    ...grid,
    ...lines,
    `<text x="${left + WIDTH / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle">requested deliveries per second</text>`,
  ].join("\n")
}

export const kneeSvg = (title: string, all: ReadonlyArray<Series>): string => {
  const width = LEFT + WIDTH + GAP + WIDTH + 24
  const height = TOP + HEIGHT + BOTTOM
  const legend = all.map(({ name }, index) => {
    const x = LEFT + index * 130
    return `<rect x="${x}" y="${height - 26}" width="12" height="12" fill="${colors[index % colors.length]}"/><text x="${x + 18}" y="${height - 16}">${name}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#1f2328">`,
    `<title>${title}</title><rect width="${width}" height="${height}" fill="#ffffff"/>`,
    panelOf({ title: "delivered per second", left: LEFT, y: (point) => point.delivered }, all),
    panelOf({ title: "p99 latency, ms, from when a frame was due", left: LEFT + WIDTH + GAP, y: (point) => point.p99Ms }, all),
    ...legend,
    `<text x="${width - 12}" y="${height - 16}" text-anchor="end" fill="#59636e">${title}</text>`,
    "</svg>\n",
  ].join("\n")
}
