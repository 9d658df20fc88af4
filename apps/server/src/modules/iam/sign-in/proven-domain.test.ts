import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { answerTxt, roleId } from '../sso/testing/sso-world.ts'

let world: OwnWorld
let acme: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  acme = await world.tenant('acme')
  await member(acme)
  await member(world.root)
})
afterAll(() => world.close())

const email = 'ada@acme.example'

async function member({ admin }: TestTenant): Promise<void> {
  const body = { email, role_ids: [await roleId(admin, 'viewer')] }
  const { invitation_url } = expectStatus(await admin.post('/iam/users', body), 201).body.data
  const token = invitation_url.split('#')[1]
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token, password }), 200)
}

const tenantOf = async (headers: Record<string, string> = {}): Promise<string> => {
  const answer = await world.stranger.post('/auth/login', { email, password }, { headers })
  return expectStatus(answer, 200).body.data.user.tenant_id
}

async function proveDomain(): Promise<string> {
  const oidc = { issuer: 'https://idp.example', client_id: 'parapet' }
  const body = { name: 'Directory', type: 'oidc', oidc, domains: ['acme.example'] }
  const { id, domains } = expectStatus(await acme.admin.post('/iam/sso-connections', body), 201).body.data
  const [{ txt_record: record }] = domains
  answerTxt(world, { [record.name]: record.value })
  const at = `/iam/sso-connections/${id}`
  expectStatus(await acme.admin.patch(at, { verify_domain: 'acme.example' }), 200)
  return at
}

test('an address of two tenants signs in where it did last, until one of them has proven its domain', async () => {
  await tenantOf({ 'x-tenant-id': acme.id })
  await tenantOf({ 'x-tenant-id': world.root.id })
  expect(await tenantOf()).toBe(world.root.id)
  const at = await proveDomain()
  expect(await tenantOf()).toBe(acme.id)
  expect(await tenantOf({ 'x-tenant-id': world.root.id })).toBe(world.root.id)
  expect(await tenantOf()).toBe(acme.id)
  expectStatus(await acme.admin.delete(at), 200)
  await tenantOf({ 'x-tenant-id': world.root.id })
  expect(await tenantOf()).toBe(world.root.id)
})
