/**
 * Installs the shipped rules into a tenant: when it is created, and again when a release brings others. People's
 * decisions about a rule, its status and suppressions, stay. Tested in rules.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { insertMany } from '../../../../kernel/db/rows.ts'
import { json, sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import type { RuleRow } from '../declared/schema.ts'
import { rules } from '../declared/tables.ts'
import { compileRule } from '../engine/compile.ts'
import type { PackRule } from '../pack/form.ts'
import { pack, packVersion } from '../pack/pack.ts'
import { defaultCooldown, ruleRow } from '../rules.ts'

const compiled = new Map(pack.map(({ key, definition }) => [key, compileRule(definition)]))

type Parts = Pick<Kernel, 'clock' | 'random'>

export async function installPack(kernel: Parts, tx: Tx): Promise<void> {
  await tx.lock('aegis.pack', tx.tenantId)
  const stored = await tx.query(sql<RuleRow>`
    select ${rules.columns} from aegis_detection_rule where pack_key is not null`)
  const byKey = new Map(stored.map((row) => [row.pack_key, row]))
  const added = pack.filter(({ key }) => !byKey.has(key)).map((rule) => packRow(kernel, tx, rule))
  await insertMany(tx, rules, added)
  for (const rule of pack) {
    const row = byKey.get(rule.key)
    if (row !== undefined && row.pack_version !== packVersion) await renew(kernel, tx, row, rule)
  }
  const shipped = pack.map(({ key }) => key)
  await tx.execute(sql`
    update aegis_detection_rule set status = 'archived', channels = '{}', version = version + 1,
      pack_version = ${packVersion}, updated_at = ${kernel.clock.iso()}
    where pack_key is not null and not pack_key = any(${shipped}::text[]) and pack_version <> ${packVersion}`)
}

function packRow(kernel: Parts, tx: Tx, rule: PackRule): RuleRow {
  const { key, name, description, category, level, tags, definition } = rule
  const row = ruleRow(kernel, tx, {
    ...{ name, description, category, level, definition, tags: [...tags] },
    ...{ source: 'builtin', source_text: null, cooldown_seconds: defaultCooldown },
    compiled: compiled.get(key) ?? compileRule(definition),
  })
  return { ...row, pack_key: key, pack_version: packVersion }
}

async function renew(kernel: Parts, tx: Tx, { id, status }: RuleRow, rule: PackRule): Promise<void> {
  const { name, description, category, level, tags, definition, channels, type } = packRow(kernel, tx, rule)
  await tx.execute(sql`
    update aegis_detection_rule set name = ${name}, description = ${description}, type = ${type},
      category = ${category}, level = ${level}, tags = ${tags}::text[], definition = ${json(definition)}::jsonb,
      channels = ${status === 'enabled' ? channels : []}::text[], pack_version = ${packVersion},
      version = version + 1, updated_at = ${kernel.clock.iso()}
    where id = ${id}`)
}

/** For tenants that were made before this release. */
export const packJob: JobDeclaration<unknown> = {
  kind: 'aegis.detection.install_pack',
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: () => sql`not exists (
    select from aegis_detection_rule rule
    where rule.tenant_id = tenant.id and rule.pack_version = ${packVersion})`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => installPack(kernel, tx)),
}
