/** Frameworks of a tenant: how they are listed, seen, adopted, published and archived. Tested in frameworks.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import type {
  Framework,
  FrameworkFilter,
  FrameworkRow,
  ListedFramework,
  NewFramework,
  Score,
} from '../declared/framework-schema.ts'
import { frameworks } from '../declared/framework-tables.ts'
import { errors } from '../errors/errors.ts'
import { liveScores } from '../live/live-terms.ts'
import { weightOf } from './builtins.ts'
import { addControls, controlsIn } from './control-rows.ts'
import { frameworkResource } from './resource.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

export interface FrameworkList {
  readonly page: PageRequest
  readonly filter: FrameworkFilter
}

export async function listFrameworks(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { page, filter }: FrameworkList,
): Promise<Page<ListedFramework>> {
  const { q, source, adoption, mandatory } = filter
  const where = [
    sql`true`,
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(adoption === undefined ? [] : [sql`adoption = ${adoption}`]),
    ...(mandatory === undefined ? [] : [sql`mandatory = ${mandatory}`]),
    ...(q === undefined
      ? []
      : [
          sql`(lower(key) like ${likePrefix(q)} or lower(title) like ${likePrefix(q)}
      or lower(title) like ${`% ${likePrefix(q)}`})`,
        ]),
  ]
  const found = await frameworks.page(tx, page, join(where, ' and '))
  const scores = await liveScores(tx, found.items, clock.now())
  return { ...found, items: found.items.map((row) => listedFramework(row, scores)) }
}

type Scores = ReadonlyMap<string, Score>

function listedFramework(row: FrameworkRow, scores: Scores): ListedFramework {
  const { groups: _groups, ...shown } = frameworkView(row, scores)
  return shown
}

const unscored: Score = {
  ...{ score: null, score_possible: null, score_assessed_only: null, coverage: null, effectiveness: null },
  ...{ evidence_current: null, controls: 0, coefficients: { alpha: 0 } },
}

export function frameworkView(row: FrameworkRow, scores: Scores): Framework {
  const { version: _version, document_id: _document, profile_id: _profile, told_score: _told, ...shown } = row
  return { ...shown, live_score: scores.get(row.id) ?? unscored }
}

export interface KnownFramework {
  readonly actor: Actor
  readonly input: NewFramework
}

/** @throws API-001, API-013, AUTH-004, COMP-005 */
export async function changeKnown(kernel: Parts, tx: Tx, { actor, input }: KnownFramework): Promise<FrameworkRow> {
  const { framework_id: id, action, adopt } = input
  if (id === undefined || action === undefined) throw missing(id === undefined ? '/framework_id' : '/action')
  const held = await hold(tx, frameworkResource, { id, precondition: anyVersion })
  if ((action === 'publish' || action === 'archive') && !holds(actor.permissions, 'compliance:admin'))
    throw authErrors.forbidden({ permission: 'compliance:admin' }).withMembers({ permission: 'compliance:admin' })
  if (action === 'adopt') return adoptHeld(kernel, tx, held, adopt ?? {})
  const { row } = held
  if (action === 'leave')
    return change(kernel, tx, held, { action: 'compliance.framework.update', changes: { adoption: 'archived' } })
  if (row.source === 'builtin')
    throw errors.notChangeable({ what: `${row.key} comes with the program and is always published.` })
  if (action === 'archive' && row.adoption === 'adopted')
    throw errors.notChangeable({ what: `${row.key} is adopted. Leave it first (action \`leave\`).` })
  return change(kernel, tx, held, {
    action: 'compliance.framework.update',
    changes: { status: action === 'publish' ? 'published' : 'archived' },
  })
}

const missing = (pointer: string) =>
  apiErrors
    .validation({ what: 'A known framework is changed by its id and an action.' })
    .at([{ detail: 'This is required.', pointer }])

/** @throws COMP-005 */
export async function adoptHeld(
  kernel: Parts,
  tx: Tx,
  held: Awaited<ReturnType<typeof hold<FrameworkRow>>>,
  { weight, mandatory }: NonNullable<NewFramework['adopt']>,
): Promise<FrameworkRow> {
  const { row } = held
  if (row.status !== 'published')
    throw errors.notChangeable({ what: `${row.key} is ${row.status}. Publish it before it is adopted.` })
  const catalog = row.source === 'builtin' ? catalogOfKey(row.key) : null
  if (catalog !== null && !(await hasControls(tx, row.id))) await addControls(kernel, tx, row.id, controlsIn(catalog))
  const binding = mandatory ?? row.mandatory
  return change(kernel, tx, held, {
    action: 'compliance.framework.update',
    changes: {
      adoption: 'adopted',
      adopted_at: row.adopted_at ?? kernel.clock.iso(),
      mandatory: binding,
      weight: weight ?? (binding === row.mandatory ? row.weight : weightOf(binding)),
    },
  })
}

async function hasControls(tx: Tx, frameworkId: string): Promise<boolean> {
  const row = await tx.first(sql`select id from compliance_control where framework_id = ${frameworkId} limit 1`)
  return row !== null
}
