import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'

/** Makes a policy and publishes its first version; bound to everybody unless said otherwise. */
export async function published(
  tenant: TestTenant,
  name: string,
  document: object,
  bindings: object[] = [{ kind: 'tenant' }],
): Promise<string> {
  const made = expectStatus(await tenant.admin.post('/gateway/policies', { name, document, bindings }), 201).body.data
  expectStatus(await tenant.admin.post(`/gateway/policies/${made.id}/publish`, { version: 1 }), 200)
  return made.id as string
}

/** Puts a document in the place of the baseline every tenant begins with, which otherwise is merged with all others. */
export async function onlyPolicy(tenant: Pick<TestTenant, 'admin'>, document: object): Promise<string> {
  const [baseline] = (await tenant.admin.get('/gateway/policies')).body.data
  const path = `/gateway/policies/${baseline.id}`
  const anew = { from_template: 'baseline', document }
  const { latest_version: version } = expectStatus(await tenant.admin.patch(path, anew), 200).body.data
  expectStatus(await tenant.admin.post(`${path}/publish`, { version }), 200)
  return baseline.id as string
}

/** A tenant below the root with rules of its own, and two people with permission to change its policies. */
export async function tenantWith(world: World, slug: string, settings: object) {
  const tenant = await world.tenant(slug, settings)
  const second = await tenant.as('security_admin')
  await ownCredentials(world, tenant.id)
  return { id: tenant.id, admin: tenant.admin, second }
}
