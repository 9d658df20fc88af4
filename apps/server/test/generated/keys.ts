import { allPermissions, type Permission } from '../../src/kernel/access/permissions.ts'
import type { TestClient } from '../support/client.ts'
import { expectStatus, type World } from '../support/world.ts'

/** A caller with every permission but this one and those that include it. */
export async function keyWithout(
  admin: TestClient,
  { stranger }: Pick<World, 'stranger'>,
  permission: Permission,
): Promise<TestClient> {
  const [module = '', action = ''] = permission.split(':')
  const levels = ['read', 'write', 'admin']
  const scopes = allPermissions.filter((other) => {
    const [of, at = ''] = other.split(':')
    return of !== module || levels.indexOf(at) < levels.indexOf(action)
  })
  const made = expectStatus(await admin.post('/iam/api-keys', { name: `all but ${permission}`, scopes }), 201)
  return stranger.with(made.body.data.secret)
}
