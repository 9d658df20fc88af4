/**
 * Scenarios: `draft → approved → archived`, and back to draft with every edit. Promises that only another person than the
 * one who changed it last approves one. Tested in scenarios.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { needOtherPerson } from '../../../kernel/second-person/people.ts'
import type {
  ListedScenario,
  NewScenario,
  PatchScenario,
  Scenario,
  ScenarioFilter,
  ScenarioRow,
} from '../declared/scenario-schema.ts'
import { scenarioResource, scenarios } from '../declared/scenario-tables.ts'
import { errors } from '../errors/errors.ts'
import { readChaostoolkit } from './chaostoolkit.ts'
import { faultsOfScenario } from './check-scenario.ts'

type Shown = Versioned<Scenario>

export function scenarioView(row: ScenarioRow, withDocument = false): Shown {
  const { version, chaostoolkit, ...shown } = row
  return new Versioned(withDocument ? { ...shown, chaostoolkit } : shown, version)
}

export async function listScenarios(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: ScenarioFilter },
): Promise<Page<Versioned<Omit<ListedScenario, 'etag'>>>> {
  const { q, kind, status, tag } = filter
  const where = [
    sql`true`,
    ...(q === undefined ? [] : [sql`lower(name) like ${likePrefix(q)}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
  ]
  const found = await scenarios.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map((row) => scenarioView(row)) }
}

/** @throws RES-003, RES-004, RES-009 */
export async function createScenario(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { actor, input }: { readonly actor: Actor; readonly input: NewScenario },
): Promise<Shown> {
  const imported = importedOf(input)
  const name = input.name ?? imported?.name
  if (name === undefined)
    throw errors.scenarioInvalid({ what: 'A scenario has a name.' }).at([{ detail: 'Name it.', pointer: '/name' }])
  const row: ScenarioRow = {
    ...newRow(kernel, tx),
    ...{ name, status: 'draft', builtin: false, changed_by: actor.userId, approved_by: null },
    description: input.description ?? imported?.description ?? '',
    kind: input.kind ?? 'custom',
    faults: input.faults ?? [],
    failing_services: input.failing_services ?? [],
    hypothesis: input.hypothesis ?? imported?.hypothesis ?? { title: name, probes: [] },
    tags: input.tags ?? imported?.tags ?? [],
    chaostoolkit: input.import?.document ?? null,
    not_executable: imported?.not_executable ?? [],
  }
  refuseInvalid(row)
  await create(tx, scenarioResource, row, { action: 'resilience.scenario.create' })
  return scenarioView(row, input.import !== undefined)
}

function importedOf({ import: given }: NewScenario) {
  if (given === undefined) return null
  const read = readChaostoolkit(given.document)
  if ('scenario' in read) return read.scenario
  throw errors.notChaostoolkit({ what: read.detail }).at([{ detail: read.detail, pointer: read.pointer }])
}

function refuseInvalid(row: Pick<ScenarioRow, 'faults' | 'hypothesis'>): void {
  const found = faultsOfScenario(row)
  const touched = found.find(({ isProtected }) => isProtected !== undefined)
  const places = found.map(({ pointer, detail }) => ({ pointer, detail }))
  if (touched?.isProtected !== undefined) throw errors.protectedTarget({ target: touched.isProtected }).at(places)
  if (found.length > 0)
    throw errors.scenarioInvalid({ what: found[0]?.detail ?? 'The scenario is not valid.' }).at(places)
}

const moves: Readonly<Record<ScenarioRow['status'], readonly ScenarioRow['status'][]>> = {
  draft: ['approved', 'archived'],
  approved: ['draft', 'archived'],
  archived: ['draft'],
}

interface Changing {
  readonly id: string
  readonly actor: Actor
  readonly input: PatchScenario
  readonly precondition: Precondition
}

/** @throws API-012, API-013, AUTH-004, RES-003, RES-006, RES-009, RES-014 */
export async function changeScenario(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { id, actor, input, precondition }: Changing,
): Promise<Shown> {
  const held = await hold(tx, scenarioResource, { id, precondition })
  const { row } = held
  const { status, ...edits } = input
  const isEdited = Object.keys(edits).length > 0
  const to = status ?? (isEdited ? 'draft' : row.status)
  refuseMove(row.status, to)
  if (to === 'approved' && isEdited)
    throw errors.illegalMove({ from: row.status, to, allowed: 'an approval alone, without edits' })
  refuseInvalid({ ...row, ...edits })
  if (to === 'approved' && row.status !== 'approved') approve(row, actor)
  const people =
    to === 'approved'
      ? { approved_by: row.status === 'approved' ? row.approved_by : actor.userId }
      : { approved_by: null, ...(isEdited ? { changed_by: actor.userId } : {}) }
  const changes = { ...edits, ...people, status: to }
  return scenarioView(await change(kernel, tx, held, { action: 'resilience.scenario.update', changes }))
}

function refuseMove(from: ScenarioRow['status'], to: ScenarioRow['status']): void {
  if (from !== to && !moves[from].includes(to)) throw errors.illegalMove({ from, to, allowed: moves[from].join(', ') })
}

function approve(row: ScenarioRow, actor: Actor): void {
  if (!holds(actor.permissions, 'resilience:admin')) throw authErrors.forbidden({ permission: 'resilience:admin' })
  const refusal = () => errors.secondPerson({ what: 'Another person than the author approves a scenario.' })
  // The library was written by nobody here, and whoever restores it from an archive is one of two all the same.
  if (row.changed_by !== null) needOtherPerson({ by: row.changed_by, atMs: Date.parse(row.updated_at) }, actor, refusal)
}
