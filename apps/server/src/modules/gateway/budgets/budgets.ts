/** Budgets as resources: who may see which, how they are made and changed, corrections. Tested in budgets.test.ts. */
import { type Actor, keyFamilyIds } from '../../../kernel/access/actor.ts'
import { isTimeZone } from '../../../kernel/base/time-zone.ts'
import { isUniqueViolation } from '../../../kernel/db/errors.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, json, type SqlPart, sql, together } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { etagOf } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../errors.ts'
import type { Budget, BudgetFilter, CreateBudget, ListedBudget, PatchBudget } from '../money/schemas.ts'
import { type BudgetRow, budgets } from '../money/tables.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { parseAmount } from '../prices/amounts.ts'
import { seesAll } from '../request-log/requests-filter.ts'
import { raiseAlarms, ruleOf } from './alarm.ts'
import { foldSettled, insertSpends } from './ledger.ts'
import { budgetOf } from './resource.ts'
import { knownScope } from './scope.ts'
import { isoOf, type Standing, standingsOf } from './standing.ts'
import { type Window, windowAt } from './windows.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

interface Rules {
  readonly kernel: Parts
  readonly iam: IamApi
}

const defaultLevels = [50, 80, 100]

/** @throws API-001, GW-001 for a scope nobody has, GW-031 */
export async function createBudget({ kernel, iam }: Rules, tx: Tx, input: CreateBudget): Promise<Budget> {
  checkForm(input)
  const at = kernel.clock.iso()
  const kind = input.kind ?? 'hard'
  const row: BudgetRow = {
    id: kernel.random.uuid(),
    tenant_id: tx.tenantId,
    name: input.name,
    scope: [...(await knownScope(iam, tx, input.scope))],
    amount_nano: String(parseAmount(input.amount)),
    currency: input.currency ?? 'USD',
    window_kind: input.window,
    window_hours: input.window_hours ?? null,
    time_zone: input.time_zone ?? (await iam.timeZone(tx)),
    kind,
    alert_at: levels(input.alert_at ?? defaultLevels),
    on_unpriced: input.on_unpriced ?? (kind === 'hard' ? 'block' : 'flag'),
    status: 'active',
    version: 1,
    created_at: at,
    updated_at: at,
  }
  await named(row.name, () => budgets.insert(tx, row))
  await tx.announce(configurationTopic, row.id)
  await tx.audit('gateway.budget.create', { target: `budget:${row.id}`, after: row })
  return shown(kernel, tx, row)
}

const levels = (given: readonly number[]): number[] => [...new Set(given)].sort((a, b) => a - b)

function checkForm({ window, window_hours: hours, time_zone: zone }: CreateBudget): void {
  const rolling = window === 'rolling'
  if (rolling !== (hours !== undefined))
    throw wrong('/window_hours', rolling ? 'A rolling window needs its length.' : 'Only a rolling window has a length.')
  if (zone !== undefined && !isTimeZone(zone)) throw wrong('/time_zone', `There is no time zone ${zone}.`)
}

function wrong(pointer: string, detail: string) {
  return apiErrors.validation({ what: 'One field of the body is not valid.' }).at([{ detail, pointer }])
}

async function named(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isUniqueViolation(error, 'gateway_budget_name'))
      throw errors.nameTaken({ what: 'budget', name }).causedBy(error)
    throw error
  }
}

export interface BudgetChange {
  readonly id: string
  readonly input: PatchBudget
  readonly expectVersion: (version: number) => void
}

export interface ChangedBudget {
  readonly budget: Budget
  readonly version: number
}

/** @throws API-013, API-012, API-011 for an archived one, GW-031 */
export async function patchBudget(kernel: Parts, tx: Tx, change: BudgetChange): Promise<ChangedBudget> {
  const row = await budgets.needForUpdate(tx, change.id)
  change.expectVersion(row.version)
  if (row.status === 'archived') throw apiErrors.conflict({ what: 'An archived budget does not change.' })
  const { adjust, amount, alert_at: alertAt, ...fields } = change.input
  const changes = {
    ...fields,
    ...(amount === undefined ? {} : { amount_nano: String(parseAmount(amount)) }),
    ...(alertAt === undefined ? {} : { alert_at: levels(alertAt) }),
    version: row.version + 1,
    updated_at: kernel.clock.iso(),
  }
  const patched: BudgetRow = { ...row, ...changes }
  await named(patched.name, () => budgets.patch(tx, row.id, changes))
  if (adjust !== undefined) await book(kernel, tx, patched, adjust)
  await tx.announce(configurationTopic, row.id)
  await tx.audit('gateway.budget.update', {
    target: `budget:${row.id}`,
    before: row,
    after: adjust === undefined ? patched : { ...patched, adjust: adjust.amount },
    ...(adjust === undefined ? {} : { reason: adjust.reason }),
  })
  await raiseAlarms(kernel, tx, { ids: [row.id] })
  return { budget: await shown(kernel, tx, patched), version: patched.version }
}

/** A correction is an entry of the ledger like any other, and in the balance at once: the row is locked. */
async function book(
  { clock, random }: Parts,
  tx: Tx,
  row: BudgetRow,
  adjust: Exclude<PatchBudget['adjust'], undefined>,
): Promise<void> {
  const amount = String(parseAmount(adjust.amount))
  const bucket = isoOf(windowAt(ruleOf(row), clock.now()).bucket)
  const entry = { id: random.uuid(), tenant_id: tx.tenantId, budget_id: row.id, call_id: null, bucket }
  await tx.execute(foldSettled([row.id], clock.iso()))
  const adjustment = {
    ...entry,
    source: 'adjustment' as const,
    amount_nano: amount,
    estimated: false,
    reason: adjust.reason,
    created_at: clock.iso(),
  }
  await tx.execute(together([insertSpends([adjustment])]))
  await tx.execute(
    sql`
      insert into gateway_budget_balance (budget_id, bucket, spent_nano)
      values (${row.id}, ${bucket}, ${amount}::numeric)
      on conflict (tenant_id, budget_id, bucket)
        do update set spent_nano = gateway_budget_balance.spent_nano + excluded.spent_nano`,
  )
}

async function shown({ clock }: Pick<Kernel, 'clock'>, tx: Tx, row: BudgetRow): Promise<Budget> {
  const [budget] = await withStandings(clock.now(), tx, [row])
  if (budget === undefined) throw apiErrors.notFound({ what: 'budget' })
  return budget
}

async function withStandings(now: number, tx: Tx, rows: readonly BudgetRow[]): Promise<readonly Budget[]> {
  const counted = rows.map((row) => ({ id: row.id, rule: ruleOf(row), window: windowAt(ruleOf(row), now) }))
  const standings = await standingsOf(tx, counted)
  return rows.map((row, index) => {
    const window = counted[index]?.window ?? windowAt(ruleOf(row), now)
    return budgetOf(row, standings.get(row.id) ?? untouched(window), { window, now })
  })
}

function untouched(window: Window): Standing {
  return { spent: 0n, reserved: 0n, resetsAt: isoOf(window.until) }
}

/** Without `gateway:admin` or the role of an auditor, budgets that name the caller, its key or the agent it is. */
export async function listBudgets(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  asked: { readonly actor: Actor; readonly page: PageRequest; readonly filter: BudgetFilter },
): Promise<Page<ListedBudget>> {
  const { scope = null, status = null } = asked.filter
  const where = sql`
    ${visibleTo(asked.actor)}
    and (${status}::text is null or status = ${status}::text)
    and (${scope}::text is null or scope @> jsonb_build_array(jsonb_build_object('kind', ${scope}::text)))`
  const found = await budgets.page(tx, asked.page, where)
  const items = await withStandings(clock.now(), tx, found.items)
  const versions = new Map(found.items.map(({ id, version }) => [id, version]))
  return {
    ...found,
    items: items.map((item) => ({ ...item, etag: etagOf(versions.get(item.id) ?? 0, JSON.stringify(item)) })),
  }
}

function visibleTo(actor: Actor): SqlPart {
  if (seesAll(actor)) return sql`true`
  const named = (kind: string, value: string): SqlPart => sql`scope @> ${json([{ kind, value }])}::jsonb`
  const { userId, agentId = null } = actor
  const own = named('user', userId)
  const byKey = join([sql`false`, ...keyFamilyIds(actor).map((id) => named('key', id))], ' or ')
  const asAgent = agentId === null ? sql`false` : named('agent', agentId)
  return sql`(${own} or ${byKey} or ${asAgent})`
}
