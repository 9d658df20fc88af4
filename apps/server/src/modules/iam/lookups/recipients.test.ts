import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { findRecipients, type RecipientCriteria } from './recipients.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('recipients')
})
afterAll(() => world?.close())

const found = (criteria: RecipientCriteria) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => findRecipients(tx, criteria, world.kernel.clock.now()))
const emails = async (criteria: RecipientCriteria) => (await found(criteria)).map(({ email }) => email?.split('@')[0])

test('are active people by id, role and permission, each once with the rights of now', async () => {
  const viewer = await tenant.as('viewer')
  const { id } = expectStatus(await viewer.get('/auth/me'), 200).body.data.user
  expect(await emails({ permission: 'iam:admin' })).toEqual(['admin'])
  expect(await emails({ roles: ['viewer'], userIds: [id, 'no id', world.kernel.random.uuid()] })).toEqual(['viewer'])
  expect((await emails({ roles: ['Viewer'], permission: 'platform:read' })).sort()).toEqual(['admin', 'viewer'])
  const [person] = await found({ userIds: [id] })
  expect([holds(person?.permissions as never, 'risk:read'), holds(person?.permissions as never, 'iam:read')]).toEqual([
    ...[true, false],
  ])
  expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'suspended' }), 200)
  expect(await emails({ roles: ['viewer'], userIds: [id] })).toEqual([])
})
