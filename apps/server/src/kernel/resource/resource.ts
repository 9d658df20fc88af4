/**
 * The common part of resources that are rows: identity, times, version, lock, `If-Match`, unique names and the audit
 * entry. The resource's own parts (its states, checks and events) stay in its file, as plain code between two calls:
 *
 *     const notes = resource({
 *       table: noteTable,
 *       kind: 'note',
 *       unique: { note_title: ({ title }) => errors.nameTaken({ what: 'note', name: title }) },
 *     })
 *
 *     // POST
 *     const row = { ...newRow(kernel, tx), title: body.title, status: 'open' as const }
 *     await create(tx, notes, row, { action: "desk.note.create" })
 *     return new Versioned(noteView(row), row.version)
 *
 *     // PATCH
 *     const held = await hold(tx, notes, { id: params.note_id, precondition })
 *     if (held.row.status === 'archived') throw errors.archived()
 *     const row = await change(kernel, tx, held, { action: "desk.note.update", changes: body })
 *     return new Versioned(noteView(row), row.version)
 *
 *     // DELETE
 *     const held = await hold(tx, notes, { id: params.note_id, precondition })
 *     return remove(tx, held, { action: "desk.note.delete" })
 *
 * Promises that a row is written only by a caller that holds its lock and has answered `If-Match`, that its version
 * grows with every write, and that the write and its audit entry are in one transaction. Tested in resource.test.ts.
 */
import { assertNotHeld } from '../data-registry/holds.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { AuditFields, Tx } from '../db/port.ts'
import { type SqlPart, sql } from '../db/sql.ts'
import { apiErrors } from '../errors/errors.ts'
import type { Precondition } from '../http/answer/etag.ts'
import type { Resource, Stamps } from './declare.ts'

export { type Resource, resource } from './declare.ts'

export interface Making {
  readonly clock: Pick<Writing['clock'], 'iso'>
  readonly random: { uuid(): string }
}

/** The columns of a new row that no caller chooses; the rest of the row is the caller's. */
export function newRow<T extends string>({ clock, random }: Making, { tenantId }: { readonly tenantId: T }) {
  const at = clock.iso()
  return { id: random.uuid(), tenant_id: tenantId, version: 1, created_at: at, updated_at: at }
}

/** Content of an audit entry. */
export interface Said extends Pick<AuditFields, 'about' | 'reason'> {
  /** Name of the action, `<module>.<kind>.<verb>`; the same as the `audit` of the route. */
  readonly action: string
}

export interface Creation<Row> extends Said {
  /** How the entry shows the new row; default: as it is stored. */
  readonly after?: (row: Row) => unknown
}

/**
 * Stores a new row and tells all instances. It leaves no audit entry: for one step of an act whose entry says more than
 * this row; `create` is the ordinary way. @throws whatever `unique` names
 */
export async function add<Row extends Stamps>(tx: Tx, resource: Resource<Row>, row: Row): Promise<void> {
  await refusingTaken(resource, row, () => resource.table.insert(tx, row))
  await announce(tx, resource, row)
}

/** Stores a new row and its audit entry. @throws whatever `unique` names */
export async function create<Row extends Stamps>(
  tx: Tx,
  resource: Resource<Row>,
  row: Row,
  { after = asStored, ...said }: Creation<Row>,
): Promise<void> {
  await add(tx, resource, row)
  await audit(tx, { resource, row, said, after: after(row) })
}

/** A row that is locked until the transaction ends, and that its caller may change as it is. Only `hold` makes one. */
export class Held<Row extends Stamps> {
  readonly resource: Resource<Row>
  /** As it was when it was locked. */
  readonly row: Row

  constructor(resource: Resource<Row>, row: Row) {
    this.resource = resource
    this.row = row
  }
}

export interface Wanted<Row> {
  /** The row's id, or a condition that one row meets. */
  readonly id: string | SqlPart
  /** The caller's `If-Match`; `anyVersion` for work that no request asked for. */
  readonly precondition: Precondition
  /** Throws for a caller who may not touch the row and must not learn its version. */
  readonly allow?: (row: Row) => void | Promise<void>
}

/** Locks a row to change or remove it. @throws API-013, errors of `allow`, API-012 */
export async function hold<Row extends Stamps>(
  tx: Tx,
  resource: Resource<Row>,
  { id, precondition, allow }: Wanted<Row>,
): Promise<Held<Row>> {
  const { columns, from, noun } = resource.table
  const condition = typeof id === 'string' ? sql`id = ${id}` : id
  const row = await tx.first(sql<Row>`select ${columns} from ${from} where ${condition} for update`)
  if (row === null) throw apiErrors.notFound({ what: noun })
  await allow?.(row)
  precondition.expectVersion(row.version)
  return new Held(resource, row)
}

/** Locks all rows that meet a condition, at most so many, in the order of their ids: for work that no request asked for. */
export async function holdAll<Row extends Stamps>(
  tx: Tx,
  resource: Resource<Row>,
  { where, limit }: { readonly where: SqlPart; readonly limit: number },
): Promise<readonly Held<Row>[]> {
  const { columns, from } = resource.table
  const rows = await tx.query(
    sql<Row>`select ${columns} from ${from} where ${where} order by id limit ${limit} for update`,
  )
  return rows.map((row) => new Held(resource, row))
}

export interface Writing {
  readonly clock: { iso(): string }
}

/** New values of columns; undefined ones stay unchanged. */
export type Changes<Row> = { readonly [K in Exclude<keyof Row, keyof Stamps | 'tenant_id'>]?: Row[K] | undefined }

/**
 * Writes a row that is held, at its next version, and tells all instances. It leaves no audit entry: for one step of an
 * act whose entry says more than this row; `change` is the ordinary way. Gives the row as it is now.
 * @throws whatever `unique` names
 */
export async function write<Row extends Stamps>(
  { clock }: Writing,
  tx: Tx,
  { resource, row }: Held<Row>,
  changes: Changes<Row>,
): Promise<Row> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after = { ...row, ...given, updated_at: clock.iso() }
  const columns = { ...given, updated_at: after.updated_at }
  const version = await refusingTaken(resource, after, () => resource.table.patchVersion(tx, row.id, columns))
  await announce(tx, resource, row)
  return { ...after, version }
}

export interface Change<Row> extends Said {
  readonly changes: Changes<Row>
  /** How the entry shows the row before; default: as it was stored. */
  readonly before?: unknown
  /** How the entry shows the row after; default: as it is stored. */
  readonly after?: (row: Row) => unknown
}

/** Writes a row that is held, with its audit entry. Gives the row as it is now. @throws whatever `unique` names */
export async function change<Row extends Stamps>(
  kernel: Writing,
  tx: Tx,
  held: Held<Row>,
  { changes, before = held.row, after = asStored, ...said }: Change<Row>,
): Promise<Row> {
  const row = await write(kernel, tx, held, changes)
  await audit(tx, { ...held, said, before, after: after(row) })
  return row
}

export interface Removal extends Said {
  /** How the entry shows the row; default: as it was stored. */
  readonly before?: unknown
  /** Further results. */
  readonly after?: unknown
}

export interface Removed {
  readonly id: string
  readonly deleted: true
}

/** Removes a row that is held, with its audit entry. Gives the answer of a deletion. @throws API-032 for one under a legal hold */
export async function remove<Row extends Stamps>(
  tx: Tx,
  held: Held<Row>,
  { before = held.row, after, ...said }: Removal,
): Promise<Removed> {
  await assertNotHeld(tx, held.resource.table, held.row.id)
  await held.resource.table.remove(tx, held.row.id)
  await announce(tx, held.resource, held.row)
  await audit(tx, { ...held, said, before, after })
  return { id: held.row.id, deleted: true }
}

const asStored = <Row>(row: Row): Row => row

interface Entry<Row extends Stamps> {
  readonly resource: Resource<Row>
  readonly row: Row
  readonly said: Said
  readonly before?: unknown
  readonly after?: unknown
}

async function announce<Row extends Stamps>(tx: Tx, { announces, name }: Resource<Row>, row: Row): Promise<void> {
  if (announces !== null) await tx.announce(announces, name(row))
}

async function audit<Row extends Stamps>(tx: Tx, entry: Entry<Row>): Promise<void> {
  const { resource, row, said, before, after } = entry
  const { action, ...more } = said
  await tx.audit(action, { target: `${resource.kind}:${resource.name(row)}`, ...more, before, after })
}

async function refusingTaken<Row extends Stamps, T>(
  { unique }: Resource<Row>,
  row: Row,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refused = isUniqueViolation(error) ? unique[error.constraint ?? ''] : undefined
    throw refused === undefined ? error : refused(row).causedBy(error)
  }
}
