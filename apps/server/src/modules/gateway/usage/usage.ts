/** Usage analytics from the hourly cells; single calls are never read. Tested in usage.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { isoOf } from '../budgets/standing.ts'
import { pointsOf, totalsOf } from './usage-points.ts'
import {
  type Dimension,
  dimensions,
  type Interval,
  type Metric,
  metrics,
  type Usage,
  type UsageQuery,
} from './usage-schemas.ts'
import { type Asked, readCounts, readTallies } from './usage-statements.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The longest range of each interval, in milliseconds; more points than that are not useful. */
const longest: Readonly<Record<Interval, number>> = {
  hour: 31 * dayMs,
  day: 400 * dayMs,
  week: 400 * dayMs,
  month: 400 * dayMs,
}
const mostPoints = 20_000

/** @throws API-001 for a range that is empty or too long */
export async function usageOf(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  actor: Actor,
  query: UsageQuery,
): Promise<Usage> {
  const interval = query.interval ?? 'day'
  const to = query.to === undefined ? clock.now() : Date.parse(query.to)
  const from = query.from === undefined ? to - 7 * dayMs : Date.parse(query.from)
  if (from >= to) throw wrong('?from', 'This must lie before `to`.')
  if (to - from > longest[interval]) throw wrong('?from', `The range is too long for one point a ${interval}.`)
  const wanted = wordsOf(query.metrics, metrics)
  const asked: Asked = {
    // Cells are whole hours: the one in which the range begins is counted as a whole.
    from: isoOf(Math.floor(from / hourMs) * hourMs),
    to: isoOf(to),
    interval,
    groupBy: query.group_by === undefined ? [] : wordsOf(query.group_by, dimensions),
    offline: query.offline ?? false,
    actor,
    mostRows: mostPoints,
  }
  const whole: Asked = { ...asked, interval: null, groupBy: [] }
  const [counts, tallies, allCounts, allTallies] = await Promise.all([
    readCounts(tx, asked),
    needsTallies(wanted) ? readTallies(tx, asked) : [],
    readCounts(tx, whole),
    needsTallies(wanted) ? readTallies(tx, whole) : [],
  ])
  if (counts.length > mostPoints) throw wrong('?group_by', `That is more than ${mostPoints} points.`)
  return {
    from: asked.from,
    to: asked.to,
    interval,
    series: pointsOf({ counts, tallies }, asked.groupBy, wanted),
    totals: totalsOf({ counts: allCounts, tallies: allTallies }, wanted),
  }
}

const needsTallies = (wanted: readonly Metric[]): boolean =>
  wanted.some((metric) => metric === 'latency' || metric === 'ttft' || metric === 'pipeline')

function wordsOf<W extends Dimension | Metric>(text: string | undefined, known: readonly W[]): readonly W[] {
  if (text === undefined) return known
  const words = new Set(text.split(','))
  return known.filter((word) => words.has(word))
}

function wrong(pointer: string, detail: string) {
  return apiErrors.validation({ what: 'One parameter of the query is not valid.' }).at([{ detail, pointer }])
}
