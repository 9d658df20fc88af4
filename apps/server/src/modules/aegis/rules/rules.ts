/** Detection rules: list, create, change. Tested in rules.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import type { ListedRule, NewRule, PatchRule, Rule, RuleFilter, RuleRow } from './declared/schema.ts'
import { ruleResource, rules } from './declared/tables.ts'
import { type Compiled, newDefinition, patchedDefinition, refuseUnknownTags } from './definition.ts'
import { armAbsence, forgetStates } from './detection/absence.ts'
import { addSuppression, suppressionsOf } from './suppressions/suppressions.ts'
import { listedRule, ruleView, ruleViews } from './view.ts'

export async function listRules(tx: Tx, page: PageRequest, filter: RuleFilter): Promise<Page<Versioned<ListedRule>>> {
  const { status, source, type, category, tag, q } = filter
  const where: readonly SqlPart[] = [
    sql`true`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(category === undefined ? [] : [sql`category = ${category}`]),
    ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
    ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or lower(name) like ${`% ${likePrefix(q)}`})`]),
  ]
  const found = await rules.page(tx, page, join(where, ' and '))
  const views = await ruleViews(tx, found.items)
  return {
    ...found,
    items: views.map((view, index) => new Versioned(listedRule(view), found.items[index]?.version ?? 1)),
  }
}

/** @throws API-001, AEGIS-004, AEGIS-013 */
export async function createRule(kernel: Kernel, tx: Tx, input: NewRule): Promise<Versioned<Rule>> {
  const { name, type, category } = input
  const missing = Object.entries({ name, type, category }).flatMap(([member, value]) =>
    value === undefined ? [member] : [],
  )
  if (name === undefined || type === undefined || category === undefined)
    throw apiErrors
      .validation({ what: 'A native rule has a name, a type and a category.' })
      .at(missing.map((member) => ({ detail: `${member} is missing.`, pointer: `/${member}` })))
  const tags = input.tags ?? []
  refuseUnknownTags(tags)
  const row = ruleRow(kernel, tx, {
    ...{ name, category, tags, description: input.description ?? null, level: input.level ?? 'medium' },
    ...{ cooldown_seconds: input.cooldown_seconds ?? defaultCooldown, source: 'native', source_text: null },
    ...newDefinition({ ...input, type, category }),
  })
  await create(tx, ruleResource, row, { action: 'aegis.detection_rule.create' })
  await armAbsence(kernel, tx, row)
  return new Versioned(await ruleView(tx, row), row.version)
}

/** Seconds after the end of an alert in which hits open no other. */
export const defaultCooldown = 3_600

type Described = Compiled &
  Pick<
    RuleRow,
    'name' | 'description' | 'category' | 'tags' | 'level' | 'cooldown_seconds' | 'source' | 'source_text'
  > &
  Partial<Pick<RuleRow, 'pack_key' | 'pack_version' | 'status'>>

export function ruleRow(kernel: Pick<Kernel, 'clock' | 'random'>, tx: Tx, { compiled, ...rule }: Described): RuleRow {
  const status = rule.status ?? 'enabled'
  return {
    pack_key: null,
    pack_version: null,
    ...newRow(kernel, tx),
    ...rule,
    type: rule.definition.type,
    status,
    channels: status === 'enabled' ? [...compiled.channels] : [],
  }
}

export interface RuleChange {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchRule
}

/** @throws API-013, API-012, API-001, AEGIS-002, AEGIS-004, AEGIS-013 */
export async function changeRule(
  kernel: Kernel,
  tx: Tx,
  { actor, input, ...asked }: RuleChange,
): Promise<Versioned<Rule>> {
  const held = await hold(tx, ruleResource, asked)
  const { suppressions, status = held.row.status, ...edits } = input
  if (held.row.status === 'archived') throw errors.illegalMove({ what: 'detection rule', status: 'archived' })
  if (held.row.source === 'builtin') refuseEdits(edits)
  if (input.tags !== undefined) refuseUnknownTags(input.tags)
  const patched = patchedDefinition(held.row, edits)
  const { name, description, cooldown_seconds, level, tags } = edits
  const compiled = patched ?? patchedDefinition(held.row, { group_by: held.row.definition.group_by })
  const row = await change(kernel, tx, held, {
    action: 'aegis.detection_rule.update',
    changes: {
      ...{ name, description, cooldown_seconds, level, tags, status },
      ...(patched === null ? {} : { definition: patched.definition }),
      channels: status === 'enabled' ? [...(compiled?.compiled.channels ?? [])] : [],
    },
  })
  if (patched !== null) await forgetStates(tx, row.id)
  if (patched !== null || status !== held.row.status) await armAbsence(kernel, tx, row)
  if (suppressions !== undefined) await replaceSuppressions(kernel, tx, { row, by: actor.userId, wanted: suppressions })
  return new Versioned(await ruleView(tx, row), row.version)
}

/** @throws API-001 */
function refuseEdits(edits: object): void {
  const members = Object.entries(edits).flatMap(([member, value]) => (value === undefined ? [] : [member]))
  if (members.length === 0) return
  const detail = 'A built-in rule can be disabled and suppressed. To change it, create a rule of your own like it.'
  throw apiErrors.validation({ what: detail }).at(members.map((member) => ({ detail, pointer: `/${member}` })))
}

interface Replacement {
  readonly row: RuleRow
  readonly by: string
  readonly wanted: NonNullable<PatchRule['suppressions']>
}

/** Those with a known id stay, those that are not named end, the rest are new. @throws API-001 */
async function replaceSuppressions(kernel: Kernel, tx: Tx, { row, by, wanted }: Replacement): Promise<void> {
  const before = new Set((await suppressionsOf(tx, [row.id])).map(({ id }) => id))
  const kept = wanted.flatMap(({ id }) => (id !== undefined && before.has(id) ? [id] : []))
  await tx.execute(sql`delete from aegis_suppression where rule_id = ${row.id} and not id = any(${kept}::uuid[])`)
  for (const [index, { id, match, reason, expires_at }] of wanted.entries()) {
    if (id !== undefined && before.has(id)) continue
    const pointer = `/suppressions/${index}`
    if (id !== undefined || match === undefined) {
      const detail = id === undefined ? 'A suppression needs a match.' : `There is no suppression ${id}.`
      throw apiErrors
        .validation({ what: detail })
        .at([{ detail, pointer: `${pointer}/${id === undefined ? 'match' : 'id'}` }])
    }
    const input = { match, reason, expires_at }
    await addSuppression(kernel, tx, { ruleId: row.id, by, input, pointer: `${pointer}/expires_at` })
  }
}
