import { afterAll, beforeAll } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addProvider } from './support.ts'
import { openUpstream, type Upstream } from './upstream.ts'

export interface OneProvider<W extends World = World> {
  readonly world: W
  readonly tenant: TestTenant
  readonly upstream: Upstream
}

/** The running program with one tenant, whose provider `local` is a server of the test: from the first test of a file to its last. */
export function withProvider(slug: string): OneProvider
export function withProvider<W extends World>(slug: string, open: () => Promise<W>): OneProvider<W>
export function withProvider(slug: string, open: () => Promise<World> = () => openWorld()): OneProvider {
  let opened: OneProvider | undefined
  let close = async (): Promise<void> => undefined
  const now = (): OneProvider => {
    if (opened === undefined) throw new Error('it is opened before the first test')
    return opened
  }
  beforeAll(async () => {
    const [world, upstream] = await Promise.all([open(), openUpstream()])
    close = async () => {
      await upstream.close()
      await world.close()
    }
    const tenant = await world.tenant(slug)
    await addProvider(tenant.admin, 'local', upstream)
    opened = { world, tenant, upstream }
  })
  afterAll(() => close())
  return {
    get world() {
      return now().world
    },
    get tenant() {
      return now().tenant
    },
    get upstream() {
      return now().upstream
    },
  }
}
