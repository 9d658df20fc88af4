/**
 * Compiled rules of tenants, held while they are what is stored. Rules are compiled once for all tenants that have the same
 * definition. Promises that a batch of events meets the rules as they stand in its transaction. Tested in detection.http.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { RuleRow } from '../declared/schema.ts'
import { rules } from '../declared/tables.ts'
import { RuleRefusal } from '../engine/base/refusal.ts'
import { type CompiledRule, compileRule } from '../engine/compile.ts'
import { createRuleSet, type RuleSet } from '../engine/rule-set.ts'

export interface LiveRule extends RuleRow {
  readonly compiled: CompiledRule
}

export interface LiveRules {
  readonly set: RuleSet<LiveRule>
  readonly byId: ReadonlyMap<string, LiveRule>
}

export interface RuleCache {
  /** The enabled rules of the transaction's tenant. */
  load(tx: Tx): Promise<LiveRules>
}

export interface DetectionServices {
  readonly detection: RuleCache
}

const mostTenants = 1_000
const mostDefinitions = 2_000

interface Held {
  readonly stamp: string
  readonly live: LiveRules
}

export function createRuleCache({ clock, log }: Pick<Kernel, 'clock' | 'log'>): RuleCache {
  const tenants = new Map<string, Held>()
  const compile = createCompiler()
  const read = async (tx: Tx): Promise<LiveRules> => {
    const rows = await tx.query(sql<RuleRow>`
      select ${rules.columns} from aegis_detection_rule where status = 'enabled' order by id`)
    const live = rows.flatMap((row): LiveRule[] => {
      try {
        return [{ ...row, compiled: compile(row) }]
      } catch (error) {
        if (!(error instanceof RuleRefusal)) throw error
        log.error({ err: error, rule: row.id, tenant: tx.tenantId }, 'a stored detection rule cannot be compiled')
        return []
      }
    })
    const set = createRuleSet(
      live.map((rule) => ({ rule, compiled: rule.compiled })),
      clock.monotonic,
    )
    return { set, byId: new Map(live.map((rule) => [rule.id, rule])) }
  }
  return {
    load: async (tx) => {
      const stamp = await stampOf(tx)
      const known = tenants.get(tx.tenantId)
      if (known?.stamp === stamp) return known.live
      const live = await read(tx)
      if (tenants.size >= mostTenants) tenants.clear()
      tenants.set(tx.tenantId, { stamp, live })
      return live
    },
  }
}

/** Changes with every change of a rule, because rules are never deleted and each change raises a version. */
async function stampOf(tx: Tx): Promise<string> {
  const row = await tx.first(sql<{ rules: number; versions: number }>`
    select count(*)::int as rules, coalesce(sum(version), 0)::int as versions from aegis_detection_rule`)
  return `${row?.rules ?? 0}:${row?.versions ?? 0}`
}

function createCompiler(): (row: RuleRow) => CompiledRule {
  const held = new Map<string, CompiledRule>()
  return ({ definition }) => {
    const key = JSON.stringify(definition)
    const known = held.get(key)
    if (known !== undefined) return known
    const compiled = compileRule(definition)
    if (held.size >= mostDefinitions) held.clear()
    held.set(key, compiled)
    return compiled
  }
}
