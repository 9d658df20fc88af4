/**
 * Events of the platform meet the rules of their tenant. Promises that a batch reads and writes what rules remember in the
 * transaction that notes its events as handled, so that no event counts twice or is lost when an instance dies, and that a
 * tenant without a rule for a channel costs nothing. Tested in detection.http.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../../kernel/module/module.ts'
import { severities } from '../../alerts/declared/words.ts'
import { openAlert } from '../../alerts/open-alert.ts'
import type { RuleRecord } from '../engine/base/record.ts'
import { advanceAll, type Hit, matchAll, titleOf } from '../engine/batch.ts'
import { ownChannels } from '../engine/channels.ts'
import { severityOf } from '../engine/event-facts.ts'
import type { DetectionServices, LiveRule } from './cache.ts'
import { createTally } from './health.ts'
import { refuseSlow } from './slow-rules.ts'
import { loadStates, saveStates } from './states.ts'

export const detection: EventHandlerDeclaration<DetectionServices> = {
  name: 'aegis.detection',
  channels: ['*'],
  interest: () => sql`not event.channel ^@ ${ownChannels} and exists (
    select from aegis_detection_rule rule, unnest(rule.channels) as beginning
    where rule.tenant_id = event.tenant_id and event.channel ^@ beginning)`,
  handle: detect,
}

async function detect({ tx, events, services, kernel }: EventBatch<DetectionServices>): Promise<void> {
  const live = await services.detection.load(tx)
  const records = events.map(recordOf)
  const tally = createTally()
  const matched = matchAll(live.set, records, tally.observe)
  const states = await loadStates(tx, matched)
  const advanced = advanceAll(matched, states)
  const grown = await saveStates(tx, advanced.changes, states)
  for (const { rule } of advanced.late) tally.late(rule)
  for (const hit of advanced.hits) tally.hit(hit.rule, hit.record.time)
  const health = await tally.save(tx, grown)
  await noteWatch(tx, records)
  for (const hits of byGroup(advanced.hits)) await raise(kernel, tx, hits)
  await refuseSlow(kernel, tx, { health, rules: live.byId })
}

export function recordOf({ id, channel, subject, time, data }: LoggedEvent): RuleRecord {
  return { id, channel, subject, time, at: Date.parse(time), data }
}

/** Time up to which events were checked: without it silence and blindness look the same. */
async function noteWatch(tx: Tx, records: readonly RuleRecord[]): Promise<void> {
  const last = records.reduce((latest, { time }) => (time > latest ? time : latest), '')
  await tx.execute(sql`
    insert into aegis_watch (watched_at) values (${last})
    on conflict (tenant_id) do update set watched_at = greatest(aegis_watch.watched_at, excluded.watched_at)`)
}

type RuleHit = Hit<LiveRule>

/** Hits of one alert together, in the order of rule and group, so that no two transactions wait for each other. */
function byGroup(hits: readonly RuleHit[]): readonly (readonly RuleHit[])[] {
  const groups = new Map<string, RuleHit[]>()
  for (const hit of hits) {
    const key = `${hit.rule.id}\n${JSON.stringify(hit.group)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [hit])
    else group.push(hit)
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
}

async function raise(kernel: EventBatch<DetectionServices>['kernel'], tx: Tx, hits: readonly RuleHit[]): Promise<void> {
  const last = hits.at(-1)
  if (last === undefined) return
  const { rule, group, record } = last
  const levels = hits.map((hit) => severities.indexOf(severityOf(rule.level, hit.record)))
  await openAlert(kernel, tx, {
    rule,
    groupBy: group,
    title: titleOf(rule.name, group),
    severity: severities[Math.min(...levels)] ?? rule.level,
    entities: hits.flatMap(({ kept }) => kept.flatMap(({ entities }) => entities)),
    evidence: hits.flatMap(({ kept }) => kept.map(({ evidence }) => evidence)),
    fields: fieldsOf(record),
    count: hits.length,
  })
}

/** Members of the event that a suppression may match. */
function fieldsOf({ channel, subject, data }: RuleRecord): Readonly<Record<string, string | number | boolean>> {
  const plain = Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, value] as const]
      : [],
  )
  return { channel, subject, ...Object.fromEntries(plain) }
}
