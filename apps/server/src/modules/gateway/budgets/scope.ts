import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import type { ScopeRule } from './schemas.ts'

type Directory = Pick<IamApi, 'findRoles' | 'knownPrincipals' | 'knownServiceAccounts'>

/**
 * The scope as it is stored: roles by id, whether they were given by id or by name. Unknown values are rejected,
 * because a budget that covers no caller would never be used up.
 * @throws API-001 for a value too many or too few, GW-001 for one that does not exist
 */
export async function knownScope(iam: Directory, tx: Tx, scope: readonly ScopeRule[]): Promise<readonly ScopeRule[]> {
  checkForm(scope)
  const valuesOf = (wanted: ScopeRule['kind']): readonly string[] =>
    scope.flatMap(({ kind, value }) => (kind === wanted && value !== undefined ? [value] : []))
  const [roles, users, keys, agents] = [valuesOf('role'), valuesOf('user'), valuesOf('key'), valuesOf('agent')]
  const found = roles.length === 0 ? [] : await iam.findRoles(tx, roles)
  const known = users.length + keys.length === 0 ? none : await iam.knownPrincipals(tx, { users, keys })
  const machines = agents.length === 0 ? none : await iam.knownServiceAccounts(tx, agents)
  return scope.map((rule, index): ScopeRule => {
    const { kind, value = '' } = rule
    if (kind === 'role') {
      const role = found.find(({ id }) => id === value) ?? found.find(({ name }) => same(name, value))
      return { kind, value: role?.id ?? unknown(rule, index) }
    }
    if ((kind === 'user' || kind === 'key') && !known.has(value)) unknown(rule, index)
    if (kind === 'agent' && !machines.has(value)) unknown(rule, index)
    return rule
  })
}

const none: ReadonlySet<string> = new Set()
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function unknown({ kind, value }: ScopeRule, index: number): never {
  const detail = `There is no ${kind} ${value}.`
  throw errors.unknownTarget({ what: detail }).at([{ detail, pointer: `/scope/${index}/value` }])
}

function checkForm(scope: readonly ScopeRule[]): void {
  const wrong = scope.findIndex(({ kind, value }) => (kind === 'tenant') !== (value === undefined))
  if (wrong < 0) return
  const detail =
    scope[wrong]?.kind === 'tenant' ? 'The whole tenant has no value.' : 'This kind of scope needs a value.'
  throw apiErrors
    .validation({ what: 'One field of the body is not valid.' })
    .at([{ detail, pointer: `/scope/${wrong}/value` }])
}
