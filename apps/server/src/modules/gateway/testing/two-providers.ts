/** Two local servers, and routes over unused providers, so that tests do not affect each other. */
import { expectStatus, openWorld } from '../../../../test/support/world.ts'
import { makeRoute, nobody } from './misbehave.ts'
import { addProvider, ask } from './support.ts'
import { openUpstream } from './upstream.ts'

/** `pooled` has two keys; `nobody` has no listener; only `second` is patient. */
export type Kind = 'first' | 'second' | 'nobody' | 'pooled'

const timeouts = { connect_ms: 1000, first_byte_ms: 500, idle_ms: 500, total_ms: 1500 }
const secrets = ['one', 'two'].map((id) => ({ id, value: `sk-test-${id}-0123456789` }))

/** Retries at once. */
export const noWait = { retry: { base_ms: 0 } }

export async function openTwoProviders(slug: string) {
  const world = await openWorld()
  const { admin, as } = await world.tenant(slug)
  const [first, second] = [await openUpstream(), await openUpstream()]
  let made = 0
  const fresh = async (kind: Kind = 'first') => {
    made += 1
    const server = { first, second, nobody: { ...first, ...nobody }, pooled: first }[kind]
    const over = { ...(kind === 'second' ? {} : { timeouts }), ...(kind === 'pooled' ? { secrets } : {}) }
    const { name } = await addProvider(admin, `${kind}-${made}`, server, over)
    return { provider: name, model: 'test-model' }
  }
  return {
    admin,
    as,
    first,
    second,
    fresh,
    /** A route with one target. */
    one: async (over: object = {}, kind: Kind = 'first') => makeRoute(admin, [await fresh(kind)], over),
    /** A route with a second target behind the first. */
    two: async (over: object = {}, kind: Kind = 'first') =>
      makeRoute(admin, [await fresh(kind), await fresh('second')], over),
    call: (route: { readonly name: string }, over: object = {}) => ask(admin, 'hello', { model: route.name, ...over }),
    /** Outcome of each attempt of a logged call. */
    attemptsOf: async (id: string) => {
      const row = expectStatus(await admin.get(`/gateway/requests/${id}`), 200).body.data
      return row.attempts.map(({ ok, reason }: { ok: boolean; reason: string | null }) =>
        ok ? 'ok' : reason?.split(':')[0],
      )
    },
    close: async () => {
      await first.close()
      await second.close()
      await world.close()
    },
  }
}

export type TwoProviders = Awaited<ReturnType<typeof openTwoProviders>>
