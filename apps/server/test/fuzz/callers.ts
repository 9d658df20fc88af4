/** Callers: signed in, each with its own headers, and signed in again when a request has ended its session. */
import { builtinRoleNames } from '../../src/kernel/access/actor.ts'
import { withScimKey } from '../generated/tenant-data.ts'
import type { OwnWorld, TestTenant } from '../support/world.ts'
import type { Who } from './stages.ts'

export interface Caller {
  readonly name: string
  readonly isOperator: boolean
  headersFor(url: string): Readonly<Record<string, string>>
  /** After a refusal of its credential. */
  renew(): Promise<void>
}

const stranger: Caller = { name: 'a stranger', isOperator: false, headersFor: () => ({}), renew: async () => {} }

interface Signed {
  readonly name: string
  readonly token: string
  readonly email: string
  readonly tenantId: string
  readonly isOperator?: boolean
  readonly extra?: Readonly<Record<string, string>>
  /** No other credential opens SCIM. */
  readonly scim?: string
}

function signedIn(world: OwnWorld, facts: Signed): Caller {
  let { token } = facts
  return {
    name: facts.name,
    isOperator: facts.isOperator ?? false,
    headersFor: (url) => ({
      authorization: `Bearer ${url.startsWith('/scim/') ? (facts.scim ?? token) : token}`,
      ...facts.extra,
    }),
    renew: async () => {
      token = (await world.signIn(facts.email, facts.tenantId)).token
    },
  }
}

/** Several times the same caller is asked more often. */
export interface Callers {
  of(who: Who | 'stranger', index: number): readonly Caller[]
}

interface Tenants {
  readonly own: TestTenant
  /** Of the tenant that is being suspended and deleted. */
  readonly spare: TestTenant
  /** Where people live who end their own sessions. */
  readonly people: TestTenant
}

export async function makeCallers(world: OwnWorld, { own, spare, people }: Tenants): Promise<Callers> {
  const root = { email: 'operator@root.example', tenantId: world.root.id, isOperator: true }
  const adminOf = async ({ admin, slug, id }: TestTenant): Promise<Caller> => {
    const key = await withScimKey(admin)
    const facts = { name: `the administrator of ${slug}`, email: `admin@${slug}.example`, tenantId: id }
    return signedIn(world, { ...facts, token: admin.token, scim: key.tokenFor('/scim/') })
  }
  const operatorIn = (tenant: TestTenant | null): Caller =>
    signedIn(world, {
      ...root,
      name: tenant === null ? 'the operator' : `the operator in ${tenant.slug}`,
      token: world.operator.token,
      ...(tenant === null ? {} : { extra: { 'x-tenant-id': tenant.id } }),
    })
  const person = async (tenant: TestTenant, role: (typeof builtinRoleNames)[number]): Promise<Caller> => {
    const { token } = await tenant.as(role)
    const email = `${role.replaceAll('_', '-')}@${tenant.slug}.example`
    return signedIn(world, { name: `a ${role}`, email, tenantId: tenant.id, token })
  }
  const [admin, spareAdmin, viewer] = await Promise.all([adminOf(own), adminOf(spare), person(own, 'viewer')])
  const roles = builtinRoleNames.filter((role) => role !== 'super_admin' && role !== 'tenant_admin')
  const persons = await Promise.all(roles.map((role) => person(people, role)))
  const often = (caller: Caller, times: number): readonly Caller[] => Array.from({ length: times }, () => caller)
  return {
    of: (who, index) => {
      const single = persons[index % persons.length] ?? stranger
      if (who === 'stranger') return [...often(stranger, 8), single, admin]
      if (who === 'person') return [...often(single, 8), stranger, operatorIn(null)]
      if (who === 'spare')
        return [...often(operatorIn(spare), 3), ...often(operatorIn(null), 3), ...often(spareAdmin, 4), stranger]
      return [...often(admin, 9), ...often(operatorIn(own), 2), operatorIn(null), viewer, stranger]
    },
  }
}
