/**
 * The person that a use is counted for: the user of the tenant that the log names, else the name or address in the log,
 * or their pseudonyms where the tenant wants those. Tested in ingestion.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { IamApi, PersonOfLogin } from '../../../iam/api.ts'

export interface Person {
  readonly user_key: string
  readonly user_id: string | null
  readonly user_name: string | null
  readonly department: string | null
  /** Whether the log named a user of the tenant. */
  readonly isAccount: boolean
}

export type Directory = Pick<IamApi, 'peopleByLogin'>

const atATime = 2_000
const nobody: Person = { user_key: '', user_id: null, user_name: null, department: null, isAccount: false }

interface Naming {
  readonly directory: Directory
  readonly pseudonymize: boolean
}

/** By `u:<name>` or `a:<address>`. The names and addresses may be as many as a log has users. */
export async function peopleOf(
  kernel: Pick<Kernel, 'db' | 'tenantKeys'>,
  tenantId: TenantId,
  named: ReadonlySet<string>,
  { directory, pseudonymize }: Naming,
): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>()
  const all = [...named]
  for (let at = 0; at < all.length; at += atATime) {
    const some = all.slice(at, at + atATime)
    const found = await accountsOf(kernel, tenantId, { directory, names: some })
    for (const name of some) {
      const person = personOf(name, found.get(loginOf(name)))
      // Keys are read outside of any transaction.
      people.set(name, pseudonymize ? await pseudonym(kernel, tenantId, person) : person)
    }
    await nextTurn()
  }
  return people
}

interface Lookup {
  readonly directory: Directory
  readonly names: readonly string[]
}

async function accountsOf(
  { db }: Pick<Kernel, 'db'>,
  tenantId: TenantId,
  { directory, names }: Lookup,
): Promise<ReadonlyMap<string, PersonOfLogin>> {
  const logins = names.filter((name) => name.startsWith('u:')).map(loginOf)
  if (logins.length === 0) return new Map()
  return db.tenant({ tenantId, readOnly: true }, (tx) => directory.peopleByLogin(tx, logins))
}

/** `u:CORP\\alice` and `u:alice@EXAMPLE.COM` in the form in which accounts are compared. */
const loginOf = (name: string): string =>
  name
    .slice(name.lastIndexOf('\\') + 1)
    .replace(/^u:/, '')
    .toLowerCase()

function personOf(name: string, account: PersonOfLogin | undefined): Person {
  if (name === '') return nobody
  if (account !== undefined && name.startsWith('u:'))
    return {
      ...{ user_key: account.user_id, user_id: account.user_id, user_name: null },
      ...{ department: account.department, isAccount: true },
    }
  // Line ends and the like come from damaged logs.
  const text = name
    .slice(2)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
  return { ...nobody, user_key: `${name.slice(0, 2)}${text}`.slice(0, 200), user_name: text.slice(0, 200) }
}

async function pseudonym(
  { tenantKeys }: Pick<Kernel, 'tenantKeys'>,
  tenantId: TenantId,
  { user_key: key, department, isAccount }: Person,
): Promise<Person> {
  if (key === '') return nobody
  const mac = await tenantKeys.blindIndex(tenantId, 'aegis.shadow_ai.user', key)
  return { user_key: `p:${mac}`, user_id: null, user_name: `p:${mac}`.slice(0, 18), department, isAccount }
}
