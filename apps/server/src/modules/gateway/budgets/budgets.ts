/** Budgets as resources: visibility, creation, changes and corrections. Tested in budgets.test.ts. */
import { type Actor, keyFamilyIds } from '../../../kernel/access/actor.ts'
import { isTimeZone } from '../../../kernel/base/time-zone.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, json, type SqlPart, sql, together } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, create, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { parseAmount } from '../prices/amounts.ts'
import { seesAll } from '../request-log/requests-filter.ts'
import { raiseAlarms, ruleOf } from './alarm.ts'
import { foldSettled, insertSpends } from './ledger.ts'
import { budgetOf } from './resource.ts'
import type { Budget, BudgetFilter, CreateBudget, PatchBudget } from './schemas.ts'
import { knownScope } from './scope.ts'
import { isoOf, type Standing, standingsOf } from './standing.ts'
import { type BudgetRow, budgets } from './tables.ts'
import { type Window, windowAt } from './windows.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

const budgetResource = resource({
  table: budgets,
  kind: 'budget',
  announces: configurationTopic,
  unique: { gateway_budget_name: ({ name }) => errors.nameTaken({ what: 'budget', name }) },
})

interface Rules {
  readonly kernel: Parts
  readonly iam: IamApi
}

const defaultLevels = [50, 80, 100]

/** @throws API-001, GW-001 for a scope that does not exist, GW-031 */
export async function createBudget({ kernel, iam }: Rules, tx: Tx, input: CreateBudget): Promise<Versioned<Budget>> {
  checkForm(input)
  const kind = input.kind ?? 'hard'
  const row: BudgetRow = {
    ...newRow(kernel, tx),
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
  }
  await create(tx, budgetResource, row, { action: 'gateway.budget.create' })
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

export interface BudgetChange {
  readonly id: string
  readonly input: PatchBudget
  readonly precondition: Precondition
}

/** @throws API-013, API-012, API-011 for an archived one, GW-031 */
export async function patchBudget(kernel: Parts, tx: Tx, asked: BudgetChange): Promise<Versioned<Budget>> {
  const held = await hold(tx, budgetResource, asked)
  const { row } = held
  if (row.status === 'archived') throw apiErrors.conflict({ what: 'An archived budget does not change.' })
  const { adjust, amount, alert_at: alertAt, ...fields } = asked.input
  const changes = {
    ...fields,
    ...(amount === undefined ? {} : { amount_nano: String(parseAmount(amount)) }),
    ...(alertAt === undefined ? {} : { alert_at: levels(alertAt) }),
  }
  const correction =
    adjust === undefined
      ? {}
      : { reason: adjust.reason, after: (shown: BudgetRow) => ({ ...shown, adjust: adjust.amount }) }
  const patched = await change(kernel, tx, held, { action: 'gateway.budget.update', changes, ...correction })
  if (adjust !== undefined) await book(kernel, tx, patched, adjust)
  await raiseAlarms(kernel, tx, { ids: [row.id] })
  return shown(kernel, tx, patched)
}

/** A correction is a regular entry of the ledger, and in the balance at once: the row is locked. */
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

async function shown({ clock }: Pick<Kernel, 'clock'>, tx: Tx, row: BudgetRow): Promise<Versioned<Budget>> {
  const [budget] = await withStandings(clock.now(), tx, [row])
  if (budget === undefined) throw apiErrors.notFound({ what: 'budget' })
  return budget
}

async function withStandings(now: number, tx: Tx, rows: readonly BudgetRow[]): Promise<readonly Versioned<Budget>[]> {
  const counted = rows.map((row) => ({ id: row.id, rule: ruleOf(row), window: windowAt(ruleOf(row), now) }))
  const standings = await standingsOf(tx, counted)
  return rows.map((row, index) => {
    const window = counted[index]?.window ?? windowAt(ruleOf(row), now)
    return new Versioned(budgetOf(row, standings.get(row.id) ?? untouched(window), { window, now }), row.version)
  })
}

function untouched(window: Window): Standing {
  return { spent: 0n, reserved: 0n, resetsAt: isoOf(window.until) }
}

/** Without `gateway:admin` or the auditor role, only budgets that name the caller, its key or its agent. */
export async function listBudgets(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  asked: { readonly actor: Actor; readonly page: PageRequest; readonly filter: BudgetFilter },
): Promise<Page<Versioned<Budget>>> {
  const { scope = null, status = null } = asked.filter
  const where = sql`
    ${visibleTo(asked.actor)}
    and (${status}::text is null or status = ${status}::text)
    and (${scope}::text is null or scope @> jsonb_build_array(jsonb_build_object('kind', ${scope}::text)))`
  const found = await budgets.page(tx, asked.page, where)
  return { ...found, items: await withStandings(clock.now(), tx, found.items) }
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
