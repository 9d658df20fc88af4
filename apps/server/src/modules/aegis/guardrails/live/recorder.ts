/**
 * Counts and hits of guardrails, gathered in memory and written together: counts every ten seconds, enforced hits
 * within a quarter of a second, monitored hits once a minute. Promises one row for each minute and version,
 * whatever the number of calls, and that an ordinary stop loses nothing. A process that is killed loses the counts of
 * its last ten seconds at most, and no decision: the effects of a decision are stored before it is answered. Tested in
 * recorder.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { recordset } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Activity } from '../../../../kernel/lifecycle/activity.ts'
import { createLoop } from '../../../../kernel/lifecycle/loop.ts'
import { guardrailTriggered } from '../declared/events.ts'
import { guardrailMetrics } from '../declared/tables.ts'
import type { Hit } from '../engine/combine.ts'
import type { EvaluationContext } from '../engine/context.ts'
import type { Asked } from '../engine/evaluate.ts'
import { type Cell, mergeCells, tally } from './cells.ts'
import { type HitGroup, hitGroup } from './hit-groups.ts'

export interface Recorder extends Activity {
  observe(tenantId: string, asked: Asked): void
  note(context: EvaluationContext, hits: readonly Hit[]): void
  /** Writes all that has gathered, the running minute too. */
  flush(): Promise<void>
}

const minuteMs = 60_000
const everyMs = 10_000
const gatherMs = 250
/** Hits that wait to be told while the database is away. */
const mostGroups = 10_000

type Parts = Pick<Kernel, 'clock' | 'db' | 'log'>

export function createRecorder({ clock, db, log }: Parts): Recorder {
  let cells = new Map<string, Cell>()
  let groups = new Map<string, HitGroup>()

  const flush = async (isLast: boolean): Promise<boolean> => {
    const minute = Math.floor(clock.now() / minuteMs)
    const [counted, told] = [cells, groups]
    cells = new Map()
    groups = new Map([...told].filter(([, group]) => !isLast && !group.data.enforced && group.minute >= minute))
    const due = [...told].filter(([key]) => !groups.has(key)).map(([, group]) => group)
    const tenants = new Set([
      ...[...counted.values()].map((cell) => cell.tenantId),
      ...due.map(({ tenantId }) => tenantId),
    ])
    for (const tenantId of tenants) {
      const own = [...counted].filter(([, cell]) => cell.tenantId === tenantId)
      const hits = due.filter((group) => group.tenantId === tenantId)
      try {
        await write(db, tenantId as TenantId, { cells: own.map(([, cell]) => cell), hits })
      } catch (error) {
        // Tenants that were written are not written again.
        mergeCells(cells, own)
        for (const group of hits) groups.set(`${group.key}:${clock.now()}`, group)
        log.warn({ err: error, tenant: tenantId }, 'counts of guardrails could not be written and will be retried')
      }
    }
    return false
  }

  const loop = createLoop({ name: 'guardrail counts', clock, log, everyMs, gatherMs, run: () => flush(false) })
  return {
    name: 'guardrail counts',
    observe: (tenantId, asked) => tally(cells, { tenantId, atMs: clock.now() }, asked),
    note: (context, hits) => {
      for (const hit of hits) {
        const group = hitGroup(context, hit, Math.floor(clock.now() / minuteMs))
        const known = groups.get(group.key)
        // The counts go on; only who it was is not told of more than this.
        if (known === undefined && groups.size >= mostGroups) continue
        groups.set(group.key, known === undefined ? group : { ...known, count: known.count + 1 })
      }
      if (hits.some(({ enforced }) => enforced)) loop.wake()
    },
    flush: async () => void (await flush(true)),
    start: async () => loop.start(),
    stop: async () => {
      await loop.stop()
      await flush(true)
    },
  }
}

interface Written {
  readonly cells: readonly Cell[]
  readonly hits: readonly HitGroup[]
}

async function write(db: Parts['db'], tenantId: TenantId, { cells, hits }: Written): Promise<void> {
  await db.tenant({ tenantId }, async (tx) => {
    const rows = cells
      .map(({ tenantId: tenant_id, guardrailId: guardrail_id, version, minute, counts, durations }) => ({
        ...{
          tenant_id,
          guardrail_id,
          version,
          minute: new Date(minute * minuteMs).toISOString(),
          ...counts,
          durations,
        },
      }))
      .toSorted((a, b) =>
        `${a.guardrail_id}${a.version}${a.minute}` < `${b.guardrail_id}${b.version}${b.minute}` ? -1 : 1,
      )
    if (rows.length > 0)
      await tx.execute(sql`
        insert into aegis_guardrail_metric (
          guardrail_id, version, minute, evaluated, matched, would_block, blocked, redacted, held, errors, durations)
        select guardrail_id, version, minute, evaluated, matched, would_block, blocked, redacted, held, errors, durations
        from ${recordset(guardrailMetrics, rows)} as row
        where exists (select from aegis_guardrail rail where rail.id = row.guardrail_id)
        on conflict (tenant_id, guardrail_id, version, minute) do update set
          evaluated = aegis_guardrail_metric.evaluated + excluded.evaluated,
          matched = aegis_guardrail_metric.matched + excluded.matched,
          would_block = aegis_guardrail_metric.would_block + excluded.would_block,
          blocked = aegis_guardrail_metric.blocked + excluded.blocked,
          redacted = aegis_guardrail_metric.redacted + excluded.redacted,
          held = aegis_guardrail_metric.held + excluded.held,
          errors = aegis_guardrail_metric.errors + excluded.errors,
          durations = (
            select array_agg(coalesce(before, 0) + coalesce(more, 0) order by place)
            from unnest(aegis_guardrail_metric.durations, excluded.durations)
              with ordinality as summed (before, more, place))`)
    await tx.emitAll(
      guardrailTriggered,
      hits.map(({ data, count }) => ({ subject: data.guardrail_id, data: { ...data, count } })),
    )
  })
}
