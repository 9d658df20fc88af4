import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { accept, expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'

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

/** A tenant below the root with rules of its own, and two people who may change its policies. */
export async function tenantWith(world: World, slug: string, settings: object) {
  const made = expectStatus(
    await world.operator.post('/iam/tenants', { name: slug, slug, admin_email: `admin@${slug}.example`, settings }),
    201,
  ).body.data
  await accept(world.stranger, made.invitation_url)
  const admin = await world.signIn(`admin@${slug}.example`, made.id)
  const roles = (await admin.get('/iam/roles')).body.data as readonly { readonly id: string; readonly name: string }[]
  const roleId = roles.find(({ name }) => name === 'security_admin')?.id
  const invited = expectStatus(
    await admin.post('/iam/users', { email: `second@${slug}.example`, role_ids: [roleId], delivery: 'invite' }),
    201,
  ).body.data
  await accept(world.stranger, invited.invitation_url)
  await ownCredentials(world, made.id)
  return { id: made.id as string, admin, second: await world.signIn(`second@${slug}.example`, made.id) }
}
