/** Geometry of the momentum curve as SVG paths. */

/** `x` is 0 to 1 from left to right, `y` is the momentum, -1 to 1. */
export interface CurvePoint {
  readonly x: number
  readonly y: number
}

/** The curve's width grows in steps of this many points, so that it does not shrink with every point. */
const STEP = 40

export const roomFor = (points: number) => Math.max(STEP, Math.ceil(points / STEP) * STEP)

/** Starts at 0, before the first point. */
export const curveOf = (momentum: ReadonlyArray<number>): ReadonlyArray<CurvePoint> => {
  const room = roomFor(momentum.length)
  return [0, ...momentum].map((y, index) => ({ x: index / room, y }))
}

/** Adds a point wherever the curve crosses zero, so that the areas above and below can be drawn separately. */
export const withCrossings = (curve: ReadonlyArray<CurvePoint>): ReadonlyArray<CurvePoint> =>
  curve.flatMap((point, index) => {
    const before = curve[index - 1]
    if (before === undefined || before.y * point.y >= 0) return [point]
    const share = before.y / (before.y - point.y)
    return [{ x: before.x + (point.x - before.x) * share, y: 0 }, point]
  })

/** Line in a box of `width` by `height` with zero in the middle. */
export const linePath = (curve: ReadonlyArray<CurvePoint>, width: number, height: number): string =>
  curve.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x * width)} ${round(((1 - y) / 2) * height)}`).join("")

/** Area between zero and the parts of the curve on one side of it: 1 above, -1 below. */
export const areaPath = (curve: ReadonlyArray<CurvePoint>, sign: 1 | -1, width: number, height: number): string => {
  const clipped = withCrossings(curve).map(({ x, y }) => ({ x, y: y * sign > 0 ? y : 0 }))
  const last = clipped.at(-1)
  return last === undefined ? "" : `${linePath(clipped, width, height)}L${round(last.x * width)} ${height / 2}Z`
}

const round = (value: number) => Math.round(value * 10) / 10
