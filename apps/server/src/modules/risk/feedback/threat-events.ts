/**
 * Blocked model calls and alerts feed the register: attempts are counted by technique, event indicators of the risks that
 * cite it are measured anew, and analyses whose rate they move are run again. Tested in feedback.test.ts and
 * alerts.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { holdAll } from '../../../kernel/resource/resource.ts'
import { type AlertedAttempts, alertedAttempts } from '../observation/alerts.ts'
import { countAttempts } from '../observation/attempts.ts'
import { newHits } from '../observation/sources.ts'
import { cites, techniqueOf } from '../observation/techniques.ts'
import { riskResource } from '../register/apply-change.ts'
import { measured } from '../register/kris.ts'
import { applyMeasurement, measurement } from '../register/measure.ts'
import type { ChangeParts, RiskServices } from '../register/register-parts.ts'
import { askForRateRuns } from './rate-runs.ts'

/** Risks with event indicators of one tenant that are measured at one event. */
const mostRisks = 500

export const threatEvents: EventHandlerDeclaration<RiskServices> = {
  name: 'risk.threat_events',
  channels: ['gateway.request.blocked', 'aegis.alert.*'],
  handle: observe,
}

async function observe({ tx, events, services: { kernel } }: EventBatch<RiskServices>): Promise<void> {
  const told = events.flatMap((event) => {
    const attempts = event.channel === 'gateway.request.blocked' ? blockedAttempt(event) : alertedAttempts(event)
    if (attempts === null) return []
    const { technique, sightings } = attempts
    return sightings.map((sighting) => ({ technique, at: event.time, sighting }))
  })
  if (told.length === 0) return
  const hits = await newHits(
    tx,
    told.map(({ sighting }) => sighting),
    kernel.clock.iso(),
  )
  const observed = told.flatMap(({ technique, at }, i) => {
    const events = hits[i] ?? 0
    return events === 0 ? [] : [{ technique, at, events }]
  })
  if (observed.length === 0) return
  const techniques = [...new Set(observed.map(({ technique }) => technique))]
  await countAttempts(tx, observed)
  await measureIndicators(kernel, tx, techniques)
  await askForRateRuns(tx, techniques)
}

/** An alert may name a call by its log entry or by its request, which calls of one job share. */
function blockedAttempt(event: LoggedEvent): AlertedAttempts | null {
  const technique = techniqueOf(event)
  if (technique === null) return null
  const { request_id: request, log_id: log } = event.data
  const source = typeof log === 'string' ? log : event.id
  return { technique, sightings: [{ source, alias: typeof request === 'string' ? request : null, hits: 1 }] }
}

const hasEventKri = sql`kris @> '[{"source": "event"}]'::jsonb and status <> 'closed'`

async function measureIndicators(kernel: ChangeParts, tx: Tx, techniques: readonly string[]): Promise<void> {
  for (const held of await holdAll(tx, riskResource, { where: hasEventKri, limit: mostRisks }))
    if (held.row.links.threats.some((cited) => techniques.some((technique) => cites(cited, technique))))
      await applyMeasurement(kernel, tx, held, await measurement(kernel, tx, held.row))
}

/** Indicators that read a pillar of the trust score follow it. */
export const trustScores: EventHandlerDeclaration<RiskServices> = {
  name: 'risk.trust_scores',
  channels: ['trust.score.updated'],
  handle: async ({ tx, events, services: { kernel } }) => {
    const latest = events.at(-1)
    if (latest === undefined) return
    const { pillars } = latest.data
    const where = sql`kris @> '[{"source": "trust_pillar"}]'::jsonb and status <> 'closed'`
    for (const held of await holdAll(tx, riskResource, { where, limit: mostRisks })) {
      const kris = held.row.kris.map((kri) => {
        const points = kri.pillar === null ? null : pointsOf(pillars, kri.pillar)
        return points === null ? kri : measured(kri, points, latest.time)
      })
      await applyMeasurement(kernel, tx, held, { kris })
    }
  },
}

function pointsOf(pillars: unknown, pillar: string): number | null {
  if (typeof pillars !== 'object' || pillars === null) return null
  const found: unknown = new Map<string, unknown>(Object.entries(pillars)).get(pillar)
  return typeof found === 'number' ? found : null
}
