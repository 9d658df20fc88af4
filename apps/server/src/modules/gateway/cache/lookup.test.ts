import { expect, test } from 'vitest'
import { systemClock } from '../../../kernel/base/clock.ts'
import { plainAsked } from '../call/asked.ts'
import { emptyCall } from '../call/call.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { PipelineParts } from '../pipeline/steps/parts.ts'
import type { Provider } from '../providers/provider.ts'
import type { CachedAnswer } from './kept/entry.ts'
import { createFlights } from './kept/flights.ts'
import { lookUp } from './lookup.ts'
import type { CacheRules } from './question/rules.ts'

const clock = systemClock()
const random = { uuid: () => '' } as Parameters<typeof beginCall>[0]['random']
const caller = {
  actor: { userId: 'u', tenantId: 't', roles: [] },
  info: { header: () => undefined },
} as unknown as Parameters<typeof beginCall>[1]
const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', read: () => emptyCall } as const
const rules = { mode: 'exact', scope: 'tenant', ttlMs: 1000, maxAgeMs: null } as unknown as CacheRules
const kept = { provider: 'p', model: 'm', events: [], upstreamMs: 1, storedAtMs: 0 } as unknown as CachedAnswer

interface Meanwhile {
  readonly isGivenUp?: boolean
  /** A provider stopped by a hard kill switch. */
  readonly stopped?: string
}

/** A lookup in a store that answers only when released, after these changes have happened. */
async function looked({ isGivenUp = false, stopped }: Meanwhile) {
  const state = beginCall({ clock, random }, caller, asked)
  state.write({ plan: { targets: [{ provider: { name: 'p' } as Provider, model: 'm' }] } })
  let found: (answer: CachedAnswer) => void = () => {}
  const store = { byKey: () => new Promise<CachedAnswer>((resolve) => (found = resolve)), isPurged: () => false }
  let killed: string | undefined
  const aegis = {
    killListFresh: () => true,
    matchKillSwitchOfRunning: ({ provider }: { readonly provider: string }) =>
      provider === killed ? { scope: 'provider', value: killed, reason: 'breached' } : null,
  }
  const parts = { kernel: { clock }, aegis, cache: { flights: createFlights(), store } } as unknown as PipelineParts
  const looking = lookUp(parts, state, rules)
  if (isGivenUp) state.write({ progress: { settled: 9 } })
  killed = stopped
  found(kept)
  await looking
  return state
}

test('what is found while the step runs is served', async () => {
  expect(await looked({})).toMatchObject({ cached: { status: 'hit' }, answer: { flow: { kind: 'whole' } } })
})

test('what is found after the step was given up is not served: the call asks a model by then', async () => {
  expect(await looked({ isGivenUp: true })).toMatchObject({
    cached: { status: 'off', fill: null },
    answer: { flow: null },
  })
})

test('what a provider gave that was stopped meanwhile is not served: another one may be asked', async () => {
  expect(await looked({ stopped: 'p' })).toMatchObject({ cached: { status: 'miss' }, answer: { flow: null } })
  expect(await looked({ stopped: 'another' })).toMatchObject({ cached: { status: 'hit' } })
})
