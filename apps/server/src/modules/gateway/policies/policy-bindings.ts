import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { IamApi, RoleName } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import type { Binding, PolicyRow } from './schema.ts'

type Directory = Pick<IamApi, 'findRoles' | 'findGroups' | 'knownPrincipals' | 'knownServiceAccounts'>

/**
 * The bindings as they are stored: roles, groups and routes by id, whether they came by id or by name. A binding
 * without subjects would be a policy that applies to no caller.
 * @throws API-001 for a value too many or too few, GW-026 for one that does not exist
 */
export async function knownBindings(iam: Directory, tx: Tx, bindings: readonly Binding[]): Promise<readonly Binding[]> {
  checkForm(bindings)
  const valuesOf = (kind: Binding['kind']): readonly string[] =>
    bindings.flatMap((binding) => (binding.kind === kind && binding.value !== undefined ? [binding.value] : []))
  const [roles, groups, users] = [valuesOf('role'), valuesOf('group'), valuesOf('user')]
  const [keys, routes, agents] = [valuesOf('key'), valuesOf('route'), valuesOf('agent')]
  const found = roles.length === 0 ? [] : await iam.findRoles(tx, roles)
  const teams = groups.length === 0 ? [] : await iam.findGroups(tx, groups)
  const ways = routes.length === 0 ? [] : await findRoutes(tx, routes)
  const known = users.length + keys.length === 0 ? none : await iam.knownPrincipals(tx, { users, keys })
  const machines = agents.length === 0 ? none : await iam.knownServiceAccounts(tx, agents)
  return bindings.map((binding, index) => {
    if (binding.kind === 'tenant' || binding.value === undefined) return binding
    if (binding.kind === 'role')
      return { ...binding, value: idOfNamed(found, binding.value) ?? unknown(binding, index) }
    if (binding.kind === 'group')
      return { ...binding, value: idOfNamed(teams, binding.value) ?? unknown(binding, index) }
    if (binding.kind === 'route')
      return { ...binding, value: idOfNamed(ways, binding.value) ?? unknown(binding, index) }
    const among = binding.kind === 'agent' ? machines : known
    return among.has(binding.value) ? binding : unknown(binding, index)
  })
}

const none: ReadonlySet<string> = new Set()

type Named = Pick<RoleName, 'id' | 'name'>

function idOfNamed(found: readonly Named[], value: string): string | undefined {
  const key = value.toLowerCase()
  const one = found.find(({ id }) => id === value) ?? found.find(({ name }) => name.toLowerCase() === key)
  return one?.id
}

/** Those that calls can name. */
function findRoutes(tx: Tx, values: readonly string[]): Promise<readonly Named[]> {
  return tx.query(
    sql<Named>`
      select id, name from gateway_route
      where status <> 'archived' and (id::text = any(${values}::text[]) or name = any(${values}::text[]))`,
  )
}

function unknown({ kind, value }: Binding, index: number): never {
  const detail = `There is no ${kind} ${value}.`
  throw errors.policyInvalid({ what: detail }).at([{ detail, pointer: `/bindings/${index}/value` }])
}

function checkForm(bindings: readonly Binding[]): void {
  const wrong = bindings.findIndex(({ kind, value }) => (kind === 'tenant') !== (value === undefined))
  if (wrong < 0) return
  const detail =
    bindings[wrong]?.kind === 'tenant' ? 'A binding to the tenant has no value.' : 'This binding needs a value.'
  throw apiErrors
    .validation({ what: 'One field of the body is not valid.' })
    .at([{ detail, pointer: `/bindings/${wrong}/value` }])
}

const holdsAll = ({ status, bindings }: Pick<PolicyRow, 'status' | 'bindings'>): boolean =>
  status === 'published' && bindings.some(({ kind }) => kind === 'tenant')

/** Keeps a published policy bound to the whole tenant, so that no call is ever without one. @throws GW-025 */
export async function keepTenantPolicy(tx: Tx, before: PolicyRow, after: PolicyRow): Promise<void> {
  if (!holdsAll(before) || holdsAll(after)) return
  // Two policies let go at once would each see the other.
  await tx.lock('gateway.tenant_policy', tx.tenantId)
  const other = await tx.first(
    sql`
      select 1 as found from gateway_policy
      where id <> ${before.id} and status = 'published' and bindings @> '[{"kind":"tenant"}]'::jsonb limit 1`,
  )
  if (other === null)
    throw errors.policyTransition({ what: 'This is the last published policy that is bound to the whole tenant.' })
}
