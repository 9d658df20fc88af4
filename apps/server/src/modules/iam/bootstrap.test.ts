import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('the first administrator operates the platform and sees who they are', async () => {
  const { body } = await world.operator.get('/auth/me')
  expect(body.data).toMatchObject({ role: 'super_admin', operator: true, tenant: { slug: 'root' }, user: { email: 'operator@root.example' } })
  expect(body.data.permissions).toContain('iam:read')
})
