/** Shapes of charts as SVG paths and positions. Pure. Tested in geometry.test.ts against points worked out by hand. */
import { scaleLinear, scaleLog } from 'd3-scale'

/** A point on a circle; 0 degrees is up, and degrees go clockwise. */
export function onCircle(center: number, radius: number, degrees: number): readonly [x: number, y: number] {
  const radians = ((degrees - 90) * Math.PI) / 180
  return [center + radius * Math.cos(radians), center + radius * Math.sin(radians)]
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Half of the gauge's opening, in degrees from up. */
const reach = 120

/** Arc of a gauge of 240 degrees from the left, as far as a share of 0 to 1. */
export function gaugeArc(share: number, center: number, radius: number): string {
  const end = -reach + 2 * reach * Math.min(1, Math.max(0, share))
  const [startX, startY] = onCircle(center, radius, -reach)
  const [endX, endY] = onCircle(center, radius, end)
  const large = end + reach > 180 ? 1 : 0
  return `M${round(startX)} ${round(startY)}A${radius} ${radius} 0 ${large} 1 ${round(endX)} ${round(endY)}`
}

export interface CurvePoint {
  readonly loss: number
  readonly probability: number
  readonly band?: { readonly low: number; readonly high: number } | undefined
}

export interface Box {
  readonly width: number
  readonly height: number
}

export interface Curve {
  readonly line: string
  /** Between the bounds of the sampling error; empty where the engine is exact. */
  readonly band: string
  readonly x: (loss: number) => number
  readonly y: (probability: number) => number
  readonly lossTicks: readonly number[]
  readonly probabilityTicks: readonly number[]
}

/**
 * Loss exceedance: the probability that a year's loss is at least x. Losses are on a logarithmic axis, from the smallest
 * above zero. @param marks losses that have to lie within, such as a tolerance
 */
export function exceedanceCurve(all: readonly CurvePoint[], { width, height }: Box, marks: readonly number[]): Curve {
  const points = all.filter(({ loss }) => loss > 0)
  const losses = [...points.map(({ loss }) => loss), ...marks.filter((mark) => mark > 0)]
  const highest = Math.max(...points.map(({ probability, band }) => band?.high ?? probability), 0.01)
  const low = losses.length === 0 ? 1 : Math.min(...losses)
  const high = Math.max(...losses, low * 10)
  const xScale = scaleLog().domain([low, high]).range([0, width])
  const yScale = scaleLinear().domain([0, highest]).nice(4).range([height, 0])
  const x = (loss: number): number => round(xScale(loss))
  const y = (probability: number): number => round(yScale(probability))
  const banded = points.flatMap(({ loss, band }) => (band === undefined ? [] : [{ loss, band }]))
  const upper = banded.map(({ loss, band }) => [x(loss), y(band.high)] as const)
  const lower = banded.map(({ loss, band }) => [x(loss), y(band.low)] as const).reverse()
  return {
    line: pathOf(points.map(({ loss, probability }) => [x(loss), y(probability)])),
    band: banded.length < 2 ? '' : `${pathOf([...upper, ...lower])}Z`,
    x,
    y,
    lossTicks: decades(low, high),
    probabilityTicks: yScale.ticks(4),
  }
}

/** Powers of ten within. */
function decades(low: number, high: number): readonly number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9)
  const last = Math.floor(Math.log10(high) + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => 10 ** (first + index))
}

export function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

/** A line of values over time, for instance a score from 0 to 100. */
export function timeLine(
  values: readonly { readonly at: number; readonly value: number }[],
  { width, height }: Box,
  [low, high]: readonly [number, number],
): string {
  const times = values.map(({ at }) => at)
  const x = scaleLinear()
    .domain([Math.min(...times), Math.max(...times)])
    .range([0, width])
  const y = scaleLinear().domain([low, high]).range([height, 0])
  return pathOf(values.map(({ at, value }) => [round(x(at)), round(y(value))]))
}

/** Color of a cell of the heat map, 1 to 5, by likelihood and impact of 1 to 5. */
export function heatLevel(likelihood: number, impact: number): 1 | 2 | 3 | 4 | 5 {
  const product = likelihood * impact
  if (product >= 17) return 5
  if (product >= 10) return 4
  if (product >= 5) return 3
  return product >= 3 ? 2 : 1
}
