/**
 * Whether the id in a kill switch exists: an id with a typo would stop no calls while appearing to, and as an exception
 * it would let no one through. Known ids are those of present and past users, keys and accounts of the tenant,
 * including revoked keys and closed accounts, and of other callers here, such as an operator; ids of other tenants are
 * unknown. Tested in kill-switches.test.ts.
 */
import { isUuid } from '../../../kernel/auth/token-checks.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { MissingTarget, NamedTarget } from '../../aegis/ports/kill-targets.ts'
import type { IamApi } from '../../iam/api.ts'

type Directory = Pick<IamApi, 'knownPrincipals' | 'knownServiceAccounts'>

const scopes = ['user', 'key', 'agent'] as const
type Kind = (typeof scopes)[number]

/** The unknown id in words, and its place; null if there is none. */
export async function missingName(
  iam: Directory,
  tx: Tx,
  { actor, target }: Pick<NamedTarget, 'actor' | 'target'>,
): Promise<MissingTarget | null> {
  const { scope, value, except } = target
  const kind = scopes.find((known) => known === scope)
  if (kind !== undefined && !(await isSomebody(iam, tx, { kind, id: value ?? '' })))
    return { detail: `There is no ${kind} ${value}.`, pointer: '/value' }
  // A platform switch may exempt users and keys of any tenant.
  if (scope === 'platform') return null
  for (const [index, id] of except.entries()) {
    const isKnown =
      id === actor.userId ||
      (await isSomebody(iam, tx, { kind: 'user', id })) ||
      (await isSomebody(iam, tx, { kind: 'key', id }))
    if (!isKnown) return { detail: `There is no user or key ${id}.`, pointer: `/except/${index}` }
  }
  return null
}

interface Name {
  readonly kind: Kind
  readonly id: string
}

async function isSomebody(iam: Directory, tx: Tx, { kind, id }: Name): Promise<boolean> {
  if (!isUuid(id)) return false
  const known =
    kind === 'agent'
      ? await iam.knownServiceAccounts(tx, [id])
      : await iam.knownPrincipals(tx, { users: kind === 'user' ? [id] : [], keys: kind === 'key' ? [id] : [] })
  return known.has(id) || (await tx.first(callOf[kind](id))) !== null
}

/** Each uses its own index. */
const callOf: Readonly<Record<Kind, (id: string) => Sql<{ id: string }>>> = {
  user: (id) => sql`select id from gateway_request where user_id = ${id} limit 1`,
  key: (id) => sql`select id from gateway_request where key_id = ${id} limit 1`,
  agent: (id) => sql`select id from gateway_request where agent_id = ${id} limit 1`,
}
