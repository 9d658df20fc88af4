/**
 * Personal data of an audit entry are not in the entry: there stands a commitment, and the value lies beside it in
 * a row of the person's own. The chain runs over commitments, so erasing the person removes the row and every hash stays
 * good. A value that is there can be proven to be the one that was recorded; one that is gone cannot be guessed, because
 * its salt went with it. Members are classified here: of data about a person, all text but our own words is personal.
 * Tested in personal.test.ts.
 */
import { sha256 } from '../crypto/digest.ts'
import { type Sql, type SqlPart, sql } from '../db/sql.ts'
import type { AuditEntryRow } from './tables.ts'

/** The values of one person in one entry, by JSON pointer into the entry. */
export interface Opening {
  /** 16 random bytes, base64url. */
  readonly salt: string
  readonly opened: Readonly<Record<string, string>>
}

export interface OwnedOpening extends Opening {
  readonly subject_id: string
}

/** An entry as it is recorded, with the values that stand beside it. */
export interface AuditRecord extends AuditEntryRow {
  readonly personal: readonly OwnedOpening[]
}

/** Actor and subject of an entry; either may be absent. */
export interface Persons {
  readonly actor: string | null
  readonly subject: string | null
}

const prefix = 'personal:'

/**
 * The commitment in place of a value: SHA-256 over the salt, the pointer, a line feed and the value. The pointer
 * is in it, so that values cannot trade places; the salt is unknown once its row is gone, so that none can be guessed.
 */
export function commitment(salt: string, pointer: string, value: string): string {
  return `${prefix}${sha256(`${salt}${pointer}\n${value}`, 'base64url')}`
}

/** Members whose words come from our code or name no person, wherever they stand. */
const ownWords = new Set([
  ...['status', 'type', 'kind', 'role', 'managed_by', 'mode', 'how', 'decision', 'source', 'recommendation'],
  ...['amr', 'acr', 'methods', 'via', 'scopes', 'permissions', 'action', 'resource', 'prefix', 'key_id', 'schemas'],
])

const harmless = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|digest:[\w-]{43})$/

/** Takes the personal values out of an entry. `makeSalt` is called once for each person there is something about. */
export function conceal(entry: AuditEntryRow, persons: Persons, makeSalt: () => string): AuditRecord {
  const openings = new Map<string, { salt: string; opened: Record<string, string> }>()
  const hide = (owner: string | null, pointer: string, value: string | null): string | null => {
    if (owner === null || value === null) return value
    const opening = openings.get(owner) ?? { salt: makeSalt(), opened: {} }
    openings.set(owner, opening)
    opening.opened[pointer] = value
    return commitment(opening.salt, pointer, value)
  }
  const within = (pointer: string, value: unknown): unknown => {
    if (typeof value === 'string') return harmless.test(value) ? value : hide(persons.subject, pointer, value)
    if (Array.isArray(value)) return value.map((item, index) => within(`${pointer}/${index}`, item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        ownWords.has(name) ? member : within(`${pointer}/${escaped(name)}`, member),
      ]),
    )
  }
  const about = persons.subject !== null
  const from = persons.actor ?? persons.subject
  const hidden = {
    before: about ? within('/before', entry.before) : entry.before,
    after: about ? within('/after', entry.after) : entry.after,
    reason: hide(persons.subject, '/reason', entry.reason),
    ip: hide(from, '/ip', entry.ip),
    user_agent: hide(from, '/user_agent', entry.user_agent),
  }
  const personal = [...openings].map(([subject_id, opening]) => ({ subject_id, ...opening }))
  return Object.assign({ personal }, entry, hidden)
}

/** The entry with the values that are still there in their places; where they are gone the commitments stay. */
export function revealed<E extends object>(entry: E, openings: readonly Opening[]): E {
  const copy: E = structuredClone(entry)
  for (const { opened } of openings) {
    for (const [pointer, value] of Object.entries(opened)) {
      const place = placeOf(copy, pointer)
      if (place !== null) place.holder[place.name] = value
    }
  }
  return copy
}

/** Whether the values are those the entry was recorded with. */
export function areGenuine(entry: object, openings: readonly Opening[]): boolean {
  return openings.every(({ salt, opened }) =>
    Object.entries(opened).every(([pointer, value]) => {
      const place = placeOf(entry, pointer)
      return place !== null && place.holder[place.name] === commitment(salt, pointer, value)
    }),
  )
}

interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
}

function placeOf(root: object, pointer: string): Place | null {
  const path = pointer.split('/').slice(1).map(unescaped)
  const name = path.pop() ?? ''
  let holder: unknown = root
  for (const step of path) holder = isHolder(holder) && Object.hasOwn(holder, step) ? holder[step] : null
  return isHolder(holder) && Object.hasOwn(holder, name) ? { holder, name } : null
}

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** RFC 6901. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Of a row of `audit_entry` in the statement around it: its openings as JSON, null where there are none. */
export const openingsOf: SqlPart = sql`(
  select jsonb_agg(jsonb_build_object('salt', own.salt, 'opened', own.opened) order by own.subject_id)
  from audit_personal own where own.entry_id = audit_entry.id)`

export interface OpeningRow extends Opening {
  readonly entry_id: string
}

/** Those of some entries. */
export function openingRows(entryIds: readonly string[]): Sql<OpeningRow> {
  return sql<OpeningRow>`
    select entry_id, salt, opened from audit_personal
    where entry_id = any(${[...entryIds]}::uuid[]) order by entry_id, subject_id`
}

const unlessHidden = (column: SqlPart): SqlPart =>
  sql`case when not starts_with(${column}, ${prefix}) then ${column} end`

/** Of a row of `audit_entry` in the statement around it: the address as a reader sees it, null once it is erased. */
export const shownIp: SqlPart = sql`coalesce(
  (select own.opened ->> '/ip' from audit_personal own
    where own.entry_id = audit_entry.id and own.opened ->> '/ip' is not null limit 1),
  ${unlessHidden(sql`audit_entry.ip`)})`

/** Of a row of `audit_entry` in the statement around it: reason and user agent as a reader sees them, in one text. */
export const shownWords: SqlPart = sql`concat_ws(' ',
  ${unlessHidden(sql`audit_entry.reason`)}, ${unlessHidden(sql`audit_entry.user_agent`)},
  (select string_agg(concat_ws(' ', own.opened ->> '/reason', own.opened ->> '/user_agent'), ' ')
    from audit_personal own where own.entry_id = audit_entry.id))`
