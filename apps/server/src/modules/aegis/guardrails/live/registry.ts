/**
 * The guardrails in force of all tenants, compiled and in memory, so that asking them costs no statement. Promises that a
 * change counts here from the moment this process hears of it, which is at once where it was made and within a second
 * elsewhere, and that a tenant whose guardrails cannot be read is one without an answer, never one without guardrails.
 * Tested in ../authoring/guardrails.test.ts.
 */
import type { Database } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Definition } from '../declared/schema.ts'
import { guardrailTopic } from '../declared/tables.ts'
import type { GuardrailKind } from '../declared/words.ts'
import { type Compiled, compileGuardrail } from '../engine/compile.ts'
import { emptySet, type LiveGuardrail, type LiveSet, liveSet } from '../engine/live-set.ts'
import { mergedLooks } from '../engine/look.ts'
import { CheckFault, GuardrailRefusal } from '../engine/refusal.ts'

export interface Registry {
  /** The set of the tenant, or a promise where it is read again just now. */
  set(tenantId: string): LiveSet | Promise<LiveSet>
  /** Whether any guardrail may be asked at the stage; true while that is not known. */
  has(tenantId: string, stage: keyof LiveSet): boolean
  /** Reads all tenants. */
  load(): Promise<void>
}

interface StoredRow {
  readonly tenant_id: string
  readonly id: string
  readonly name: string
  readonly kind: GuardrailKind
  readonly status: 'monitor' | 'enforce'
  readonly rollout_percent: number
  readonly base_version: number | null
  readonly number: number
  readonly definition: Definition
}

type Parts = Pick<Kernel, 'log' | 'live' | 'background'> & { readonly db: Pick<Database, 'system'> }

export function createRegistry(kernel: Parts): Registry {
  const sets = new Map<string, LiveSet>()
  const reading = new Map<string, Promise<LiveSet>>()
  const compile = createCompiler(kernel)

  const read = async (tenantId: string): Promise<LiveSet> => {
    const rows = await stored(kernel, tenantId)
    return liveSet(rows.map(liveOf), compile)
  }

  /** The newest read counts: one that began before a change must not undo it. */
  const reread = (tenantId: string): Promise<LiveSet> => {
    const work = read(tenantId).then(
      (set) => {
        if (reading.get(tenantId) !== work) return reading.get(tenantId) ?? sets.get(tenantId) ?? set
        sets.set(tenantId, set)
        reading.delete(tenantId)
        return set
      },
      (error: unknown) => {
        // The next call asks again: until then the guardrails in force are unknown.
        sets.delete(tenantId)
        if (reading.get(tenantId) === work) reading.set(tenantId, failed)
        throw error
      },
    )
    reading.set(tenantId, work)
    return work
  }

  kernel.live.on(guardrailTopic, (_id, _data, tenantId) => {
    kernel.background('guardrails after a change', reread(tenantId))
  })

  return {
    set: (tenantId) => {
      const pending = reading.get(tenantId)
      if (pending === failed) return reread(tenantId)
      return pending ?? sets.get(tenantId) ?? emptySet
    },
    has: (tenantId, stage) => reading.has(tenantId) || (sets.get(tenantId)?.[stage].length ?? 0) > 0,
    load: async () => {
      const rows = await stored(kernel, null)
      for (const [tenantId, own] of grouped(rows))
        if (!reading.has(tenantId)) sets.set(tenantId, liveSet(own.map(liveOf), compile))
    },
  }
}

/** Stands for a read that failed. */
const failed = Promise.resolve(emptySet)

function grouped(rows: readonly StoredRow[]): ReadonlyMap<string, readonly StoredRow[]> {
  const groups = new Map<string, StoredRow[]>()
  for (const row of rows) groups.set(row.tenant_id, [...(groups.get(row.tenant_id) ?? []), row])
  return groups
}

/** The version before is enforced wherever the next one is not yet. */
function liveOf({ id, name, kind, number, definition, ...stored }: StoredRow): LiveGuardrail {
  const isBase = number === stored.base_version
  const percent = stored.status === 'enforce' ? stored.rollout_percent : 0
  return { id, name, kind, version: number, definition, percent, isBase, mode: isBase ? 'enforce' : stored.status }
}

function stored({ db }: Parts, tenantId: string | null): Promise<readonly StoredRow[]> {
  return db.system('guardrails', (tx) =>
    tx.query(sql<StoredRow>`
      select rail.tenant_id, rail.id, rail.name, rail.kind, rail.status, rail.rollout_percent, rail.base_version,
        one.number, one.definition
      from aegis_guardrail rail
      join aegis_guardrail_version one on one.tenant_id = rail.tenant_id and one.guardrail_id = rail.id
        and one.number in (rail.live_version, rail.base_version)
      where rail.status in ('monitor', 'enforce')
        and (${tenantId}::uuid is null or rail.tenant_id = ${tenantId}::uuid)
      order by rail.tenant_id, rail.id, one.number`),
  )
}

const mostCompiled = 20_000

/** Versions never change, so each is compiled once. One that cannot be compiled any more fails at every call. */
function createCompiler({ log }: Parts): (live: LiveGuardrail) => Compiled {
  const held = new Map<string, Compiled>()
  return (live) => {
    const key = `${live.id}@${live.version}`
    const known = held.get(key)
    if (known !== undefined) return known
    const compiled = compileOr(live, (error) =>
      log.error({ err: error, guardrail: live.id, version: live.version }, 'a stored guardrail cannot be compiled'),
    )
    if (held.size >= mostCompiled) held.clear()
    held.set(key, compiled)
    return compiled
  }
}

function compileOr({ kind, definition }: LiveGuardrail, tell: (error: GuardrailRefusal) => void): Compiled {
  try {
    return compileGuardrail(kind, definition)
  } catch (error) {
    if (!(error instanceof GuardrailRefusal)) throw error
    tell(error)
    const holds = (): boolean => {
      throw new CheckFault(error.message)
    }
    const analysis = { expressions: 0, nodes: 0, depth: 0, cost_class: 'low' as const, fields: [], unused_fields: [] }
    return { target: null, holds, spans: [], rates: [], looks: mergedLooks([]), analysis }
  }
}
