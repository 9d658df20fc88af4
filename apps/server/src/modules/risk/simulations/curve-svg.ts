/** The loss exceedance curve as SVG: curve, band and a line at the tolerance. Pure. Tested in simulations.test.ts. */
import type { SimulatedResult } from '../fair/result-schema.ts'

export interface CurveDrawing {
  readonly points: SimulatedResult['lec']
  readonly currency: string
  readonly tolerance: number | null
}

const [width, height] = [720, 420]
const frame = { left: 70, right: 20, top: 24, bottom: 56 }
const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom }

/** Losses on a logarithmic axis; the probability of a year above each, with its band. */
export function curveSvg({ points, currency, tolerance }: CurveDrawing): string {
  const drawn = points.filter(({ loss }) => loss > 0)
  const [low, high] = extent(
    drawn.map(({ loss }) => loss),
    tolerance,
  )
  const x = (loss: number): string =>
    (frame.left + (inner.width * Math.log(loss / low)) / Math.log(high / low)).toFixed(1)
  const y = (probability: number): string => (frame.top + inner.height * (1 - probability)).toFixed(1)
  const upper = drawn.map(({ loss, probability, band }) => `${x(loss)},${y(band?.high ?? probability)}`)
  const lower = drawn.map(({ loss, probability, band }) => `${x(loss)},${y(band?.low ?? probability)}`).reverse()
  const curve = drawn.map(({ loss, probability }) => `${x(loss)},${y(probability)}`)
  const title = `Loss exceedance curve in ${currency}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...[0, 0.25, 0.5, 0.75, 1].map((p) => probabilityTick(p, y(p))),
    ...decades(low, high).map((loss) => lossTick(loss, x(loss))),
    `<polygon class="band" points="${[...upper, ...lower].join(' ')}" fill="#9ec5e8" fill-opacity="0.6"/>`,
    `<polyline class="curve" points="${curve.join(' ')}" fill="none" stroke="#12507b" stroke-width="2"/>`,
    ...(tolerance === null ? [] : [toleranceLine(x(tolerance))]),
    `<text x="${frame.left + inner.width / 2}" y="${height - 12}" text-anchor="middle">Annual loss (${currency})</text>`,
    `<text transform="translate(16 ${frame.top + inner.height / 2}) rotate(-90)" text-anchor="middle">Probability of a greater loss</text>`,
    '</svg>',
  ].join('\n')
}

function extent(losses: readonly number[], tolerance: number | null): readonly [number, number] {
  const all = [...losses, ...(tolerance === null ? [] : [tolerance])]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  if (!Number.isFinite(low)) return [1, 10]
  return low < high ? [low, high] : [low / 2, low * 2]
}

function decades(low: number, high: number): readonly number[] {
  const first = Math.ceil(Math.log10(low))
  const last = Math.floor(Math.log10(high))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i))
}

const bottom = frame.top + inner.height

function probabilityTick(p: number, at: string): string {
  return `<path d="M${frame.left} ${at}h${inner.width}" stroke="#ddd"/><text x="${frame.left - 8}" y="${at}" dy="4" text-anchor="end">${100 * p} %</text>`
}

function lossTick(loss: number, at: string): string {
  const label = loss >= 1e6 ? `${loss / 1e6}M` : loss >= 1e3 ? `${loss / 1e3}k` : String(loss)
  return `<path d="M${at} ${frame.top}V${bottom}" stroke="#eee"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${label}</text>`
}

function toleranceLine(at: string): string {
  return `<path class="tolerance" d="M${at} ${frame.top}V${bottom}" stroke="#b3261e" stroke-width="1.5" stroke-dasharray="6 4"/><text x="${at}" y="${frame.top - 8}" text-anchor="middle" fill="#b3261e">tolerance</text>`
}
