/**
 * Records what people said: an append-only event, and the state that follows from all events of a purpose in the order in
 * which they happened. Promises that from the commit on no call is allowed by the state before. Tested in consents.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import type { ConsentEventRow, ConsentRow, NewEvent, NoticeRow, SubjectRow } from '../declared/consent-schema.ts'
import { consentHistory, consents, notices, subjects } from '../declared/consent-tables.ts'
import { impossibleEvent, inOrder, stateAfter } from '../engine/fold.ts'
import { errors } from '../errors/errors.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { consentChanged } from './events.ts'
import { consentTopic } from './memory.ts'
import { personFor } from './people.ts'

type Parts = Pick<DataGovServices, 'kernel'>

export interface Told {
  readonly actor: Pick<Actor, 'userId'> | null
  readonly input: Omit<NewEvent, 'subject'>
  /** Of the identifiers of the person. */
  readonly hashes: readonly string[]
  /** JSON Pointer of the event in the body. */
  readonly pointer: string
}

/** Clocks of forms and servers differ a little. */
const aheadMs = 5 * 60_000

/** One record for each purpose. @throws API-001, DGOV-008, DGOV-009, DGOV-010, DGOV-017 */
export async function recordEvent(parts: Parts, tx: Tx, told: Told): Promise<readonly ConsentRow[]> {
  const { kernel } = parts
  const { input, pointer } = told
  const at = input.occurred_at ?? kernel.clock.iso()
  if (Date.parse(at) > kernel.clock.now() + aheadMs)
    throw apiErrors
      .validation({ what: 'The event lies in the future.' })
      .at([{ detail: 'must not be in the future', pointer: `${pointer}/occurred_at` }])
  const notice = await noticeOf(tx, told)
  const person = await personFor(parts, tx, told.hashes)
  if (person.status === 'erased') throw errors.personErased()
  if (input.gpc === true) await noteSignal(tx, person, at)
  const rows: ConsentRow[] = []
  for (const purpose of new Set(input.purposes))
    rows.push(await recordOne(parts, tx, { ...told, at, notice, person, purpose }))
  await tx.announce(consentTopic, person.id)
  return rows
}

/** @throws DGOV-008 for an unknown notice or a purpose that it does not have */
async function noticeOf(tx: Tx, { input, pointer }: Told): Promise<NoticeRow | null> {
  const isConsent = (input.basis ?? 'consent') === 'consent'
  if (input.notice_key === undefined) {
    if (!isConsent || input.event !== 'given') return null
    throw errors
      .unknownPurpose({ what: 'A consent needs the notice that was shown. Send `notice_key`.' })
      .at([{ detail: 'is required for the event given', pointer: `${pointer}/notice_key` }])
  }
  const notice = await tx.first(sql<NoticeRow>`
    select ${notices.columns} from data_gov_notice where key = ${input.notice_key} and status = 'current'`)
  if (notice === null)
    throw errors
      .unknownPurpose({ what: `There is no notice "${input.notice_key}". Publish it first.` })
      .at([{ detail: 'names no notice', pointer: `${pointer}/notice_key` }])
  const known = new Set(notice.purposes.map(({ purpose }) => purpose))
  const unknown = input.purposes.findIndex((purpose) => !known.has(purpose))
  if (unknown >= 0)
    throw errors
      .unknownPurpose({ what: `The notice "${notice.key}" has no purpose "${input.purposes[unknown]}".` })
      .at([{ detail: 'is no purpose of the notice', pointer: `${pointer}/purposes/${unknown}` }])
  return notice
}

async function noteSignal(tx: Tx, { id }: SubjectRow, at: string): Promise<void> {
  await tx.execute(sql`
    update data_gov_subject set gpc_at = greatest(coalesce(gpc_at, ${at}::timestamptz), ${at}::timestamptz),
      version = version + 1, updated_at = now()
    where id = ${id}`)
}

interface One extends Told {
  readonly at: string
  readonly notice: NoticeRow | null
  readonly person: SubjectRow
  readonly purpose: string
}

async function recordOne({ kernel }: Parts, tx: Tx, one: One): Promise<ConsentRow> {
  const { person, purpose } = one
  const stored = await tx.first(sql<ConsentRow>`
    select ${consents.columns} from data_gov_consent
    where subject_id = ${person.id} and purpose = ${purpose} for update`)
  const consentId = stored?.id ?? kernel.random.uuid()
  const event = eventOf(kernel, tx, one, { consentId, stored })
  const before = await tx.query(sql<ConsentEventRow>`
    select ${consentHistory.columns} from data_gov_consent_event where consent_id = ${consentId}`)
  const events = [...before, event]
  const impossible = impossibleEvent(events)
  if (impossible !== null) throw outOfOrder(impossible.event, one)
  const newest = inOrder(events).at(-1) ?? event
  const row = rowOf(kernel, tx, { one, stored, consentId, newest, isNewest: newest === event })
  if (stored === null) await consents.insert(tx, row)
  else {
    const { id: _id, tenant_id: _tenant, version: _version, created_at: _made, ...changes } = row
    await consents.patchVersion(tx, consentId, changes)
  }
  await consentHistory.insert(tx, event)
  await tx.emit(consentChanged, consentId, {
    ...{ record_id: consentId, subject_id: person.id, purpose, state: row.state },
  })
  return row
}

const outOfOrder = (event: string, { purpose, pointer }: One) =>
  errors
    .impossibleEvent({ what: `The event "${event}" of the purpose "${purpose}" has no consent in force before it.` })
    .at([{ detail: 'needs a consent before it', pointer: `${pointer}/event` }])

interface Placed {
  readonly consentId: string
  readonly stored: ConsentRow | null
}

function eventOf(
  { clock, random }: DataGovServices['kernel'],
  tx: Tx,
  { input, at, notice, actor, purpose }: One,
  { consentId, stored }: Placed,
): ConsentEventRow {
  const noticed = notice?.purposes.find((one) => one.purpose === purpose)
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso(), consent_id: consentId },
    ...{ notice_id: notice?.id ?? stored?.notice_id ?? null, recorded_by: actor?.userId ?? null },
    categories: [...(noticed?.categories ?? stored?.categories ?? [])],
    recipients: [...(noticed?.recipients ?? stored?.recipients ?? [])],
    ...{ event: input.event, basis: input.basis ?? stored?.basis ?? 'consent', method: input.method },
    ...{ evidence_sha256: input.evidence_sha256 ?? null, locale: input.locale ?? null, occurred_at: at },
    ...{ valid_until: input.valid_until ?? null, gpc: input.gpc ?? false },
  }
}

interface Folded extends Placed {
  readonly one: One
  readonly newest: ConsentEventRow
  readonly isNewest: boolean
}

function rowOf(
  kernel: DataGovServices['kernel'],
  tx: Tx,
  { one, stored, consentId, newest, isNewest }: Folded,
): ConsentRow {
  const { notice, person, purpose } = one
  const fresh = { ...newRow(kernel, tx), id: consentId }
  const noticed = isNewest && notice !== null
  return {
    ...(stored ?? fresh),
    updated_at: kernel.clock.iso(),
    ...{ subject_id: person.id, purpose, basis: newest.basis, state: stateAfter(newest.event) },
    notice_id: noticed ? notice.id : (stored?.notice_id ?? newest.notice_id),
    notice_key: noticed ? notice.key : (stored?.notice_key ?? notice?.key ?? null),
    notice_edition: noticed ? notice.edition : (stored?.notice_edition ?? notice?.edition ?? null),
    ...{ categories: newest.categories, recipients: newest.recipients, occurred_at: newest.occurred_at },
    ...{ valid_until: newest.valid_until, event_id: newest.id },
  }
}

/** For requests of people: every purpose of the person at once. */
export async function objectToAll(parts: Parts, tx: Tx, told: Omit<Told, 'input' | 'pointer'>): Promise<number> {
  const person = await personFor(parts, tx, told.hashes)
  const open = await tx.query(sql<{ purpose: string }>`
    select purpose from data_gov_consent where subject_id = ${person.id} and state not in ('objected', 'withdrawn')`)
  if (open.length > 0)
    await recordEvent(parts, tx, {
      ...told,
      pointer: '',
      input: { event: 'objected', purposes: open.map(({ purpose }) => purpose), method: 'subject_request' },
    })
  return open.length
}

/** Restricts the processing of a person's data, or notes that the person was erased. */
export async function setStatus(tx: Tx, subjectId: string, status: SubjectRow['status']): Promise<void> {
  await subjects.patchVersion(tx, subjectId, { status })
  await tx.announce(consentTopic, subjectId)
}
