/**
 * Decides the outcome for each person of an import: roles by name, addresses already in use, rows that cannot be
 * imported. It writes nothing. Tested in import.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { emailKey } from '../directory/email-address.ts'
import { assertCanGrantRoles, type Grantor } from '../rights/escalation.ts'
import type { GrantedRole } from '../rights/subjects.ts'
import { nameKey } from '../roles/roles.ts'
import type { ImportedPerson } from './person.ts'
import type { ImportedUser, ImportUsers } from './schema.ts'

/** A person with the outcome of the import. */
export interface Judged {
  readonly person: ImportedPerson
  readonly outcome: ImportedUser['outcome']
  readonly key: string | null
  readonly roles: readonly GrantedRole[]
  readonly notes: readonly string[]
}

const mostRoles = 10

export interface Judging {
  readonly people: readonly ImportedPerson[]
  readonly wish: ImportUsers
  readonly grantor: Grantor
  /** ISO. */
  readonly now: string
}

/**
 * Decides for each person whether they are created, exist already, are left out or refused, and with which roles. Roles
 * the importer may not grant refuse the whole import, not a row.
 * @throws API-001 for a role that does not exist, IAM-003
 */
export async function judge(tx: Tx, ask: Judging): Promise<readonly Judged[]> {
  const roles = await findRoles(tx, ask.wish)
  const taken = await takenKeys(tx, ask.people)
  const seen = new Set<string>()
  const judged = ask.people.map((person) => judgeOne(person, { roles, taken, seen, now: ask.now }))
  const given = judged.filter(({ outcome }) => outcome === 'created').flatMap((one) => one.roles)
  assertCanGrantRoles(ask.grantor, [...new Map(given.map((role) => [role.id, role])).values()])
  return judged
}

interface Roles {
  find(name: string): GrantedRole | null
  readonly fallback: GrantedRole | null
}

async function findRoles(tx: Tx, wish: ImportUsers): Promise<Roles> {
  const rows = await tx.query(sql<GrantedRole>`select id, name, builtin, permissions from iam_role`)
  const byKey = new Map(rows.map((role) => [nameKey(role.name), role]))
  const need = (name: string, pointer: string): GrantedRole => {
    const role = byKey.get(nameKey(name))
    if (role !== undefined) return role
    const detail = 'There is no such role.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer }])
  }
  const named = new Map((wish.roles ?? []).map(({ from, to }, at) => [from, need(to, `/import/roles/${at}/to`)]))
  return {
    find: (name) => named.get(name) ?? byKey.get(nameKey(name)) ?? null,
    fallback: wish.default_role === undefined ? null : need(wish.default_role, '/import/default_role'),
  }
}

async function takenKeys(tx: Tx, people: readonly ImportedPerson[]): Promise<ReadonlySet<string>> {
  const keys = people.flatMap((person) => keyOf(person) ?? [])
  const rows = await tx.query(
    sql<{ email_key: string }>`select email_key from iam_user where email_key = any(${keys}::text[])`,
  )
  return new Set(rows.map(({ email_key }) => email_key))
}

const keyOf = ({ fields }: ImportedPerson): string | null =>
  fields.email === undefined ? null : emailKey(fields.email)

interface Known {
  readonly roles: Roles
  /** Addresses of accounts that are there. */
  readonly taken: ReadonlySet<string>
  /** Addresses of the document so far. */
  readonly seen: Set<string>
  readonly now: string
}

function judgeOne(person: ImportedPerson, { roles, taken, seen, now }: Known): Judged {
  const key = keyOf(person)
  if (person.skipped) return { person, key, outcome: 'skipped', roles: [], notes: person.notes }
  const given = rolesOf(person, roles)
  const { expires_at: ends } = person.fields
  const faults = [
    ...person.faults,
    ...(key !== null && seen.has(key) ? ['email: it is in the document before.'] : []),
    ...(ends != null && Date.parse(ends) <= Date.parse(now) ? ['expires_at: the end must be in the future.'] : []),
  ]
  if (key !== null) seen.add(key)
  if (faults.length === 0 && key !== null && taken.has(key)) {
    return { person, key, outcome: 'exists', roles: [], notes: ['An account has this address; it is left as it is.'] }
  }
  const wrong = faults.length > 0 ? faults : given.faults
  if (wrong.length > 0) return { person, key, outcome: 'refused', roles: [], notes: wrong }
  return { person, key, outcome: 'created', roles: given.roles, notes: [...person.notes, ...given.notes] }
}

interface Given {
  readonly roles: readonly GrantedRole[]
  readonly notes: readonly string[]
  readonly faults: readonly string[]
}

function rolesOf(person: ImportedPerson, { find, fallback }: Roles): Given {
  const found = person.roles.map((name) => ({ name, role: find(name) }))
  const named = found.flatMap(({ role }) => (role === null ? [] : [role]))
  const roles = [
    ...new Map((named.length > 0 || fallback === null ? named : [fallback]).map((role) => [role.id, role])).values(),
  ]
  const unknown = found.filter(({ role }) => role === null).map(({ name }) => name.slice(0, 100))
  const notes = unknown.slice(0, 5).map((name) => `${name} is no role here.`)
  if (roles.some(({ builtin }) => builtin === 'super_admin')) return refusing('super_admin is not given by an import.')
  if (roles.length > mostRoles) return refusing(`It would be more than ${mostRoles} roles.`)
  if (roles.length > 0) return { roles, notes, faults: [] }
  return refusing(
    unknown.length === 0
      ? 'It has no role; give a default_role.'
      : `None of its roles is here: ${unknown.slice(0, 3).join(', ')}.`,
  )
}

const refusing = (fault: string): Given => ({ roles: [], notes: [], faults: [fault] })
