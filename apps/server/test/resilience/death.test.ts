/**
 * A server that dies in the middle of an experiment, driven with the client of OpenAI: delays for a third of one tenant's
 * calls, none for the other's, and no fault left after the kill. PARAPET_TEST_CALLS is the number of calls of the spared
 * tenant (10,000 in a long run).
 */
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { openUpstream, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { modules } from '../../src/modules.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { ofRound } from '../support/sampled.ts'
import { type Installation, install, type RunningServer } from '../support/server-process.ts'
import { hitRequests, makeTenant, patience, readExperiment, startExperiment, type Tenant } from './people.ts'

const sparedCalls = Number(process.env.PARAPET_TEST_CALLS ?? 200)
const hitCalls = Math.max(100, sparedCalls / 10)
const delayMs = 300
const atOnce = 8

interface Answered {
  readonly requestId: string
  readonly ms: number
}

let asked = 0

/** So many calls, some at once; one that fails fails the test. */
async function askMany(server: RunningServer, { key }: Tenant, count: number): Promise<readonly Answered[]> {
  const client = new OpenAI({ apiKey: key, baseURL: `${server.address}/api/v1/gateway/openai/v1`, maxRetries: 0 })
  const answered: Answered[] = []
  let left = count
  const ask = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1
      asked += 1
      const startedMs = performance.now()
      const messages = [{ role: 'user' as const, content: `Question ${asked}` }]
      const { response } = await client.chat.completions.create({ model: 'test-model', messages }).withResponse()
      answered.push({ requestId: response.headers.get('x-request-id') ?? '', ms: performance.now() - startedMs })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return answered
}

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(
    `a server killed in the middle of an experiment on ${kind} (skipped where there is no server)`,
    () => {
      let database: TestDatabase | null = null
      let installation: Installation
      let upstream: Upstream

      beforeAll(async () => {
        upstream = await openUpstream()
        database = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
        installation = await install({
          PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
          ...(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url }),
        })
      })
      afterAll(async () => {
        await installation?.remove()
        await upstream?.close()
        await database?.close()
      })

      test('delays the share of one tenant’s calls, none of the other’s, and nothing once it was killed', {
        timeout: 240_000 + sparedCalls * 60,
      }, async () => {
        const server = await installation.start()
        const hit = await makeTenant(server, 'hit', upstream)
        const spared = await makeTenant(server, 'spared', upstream)
        const id = await startExperiment(server, hit, {
          faults: [{ seam: 'upstream', kind: 'latency', delay_ms: { type: 'constant', value: delayMs } }],
          ...{ ttl_seconds: 3600, blast_radius: { percentage: 30, max_affected_calls: 100_000 } },
        })
        const [ofHit, ofSpared] = await Promise.all([
          askMany(server, hit, hitCalls),
          askMany(server, spared, sparedCalls),
        ])
        // Hits are stored every quarter of a second.
        await expect
          .poll(async () => (await readExperiment(server, hit, id)).affected_calls, patience)
          .toBeGreaterThanOrEqual(ofHit.length / 10)
        const before = await settled(server, hit, id)
        const requests = hitRequests(before)
        const delayed = ofHit.filter(({ requestId }) => requests.has(requestId))
        expect(delayed).toHaveLength(before.affected_calls)
        // Six standard deviations of so many independent choices.
        const spread = 6 * Math.sqrt(0.3 * 0.7 * ofHit.length)
        expect(Math.abs(delayed.length - 0.3 * ofHit.length)).toBeLessThan(spread)
        expect(delayed.filter(({ ms }) => ms < delayMs - 5)).toEqual([])
        expect(ofSpared).toHaveLength(sparedCalls)
        expect(ofSpared.filter(({ requestId }) => requests.has(requestId))).toEqual([])

        expect((await readExperiment(server, hit, id)).status).toBe('injecting')
        await server.signal('SIGKILL')
        const again = await installation.start()
        const later = await askMany(again, hit, 50)
        await expect.poll(async () => (await readExperiment(again, hit, id)).status, patience).toBe('aborted')
        const ended = await readExperiment(again, hit, id)
        expect(ended).toMatchObject({ abort_cause: 'lost contact', verdict: 'inconclusive' })
        expect(later.filter(({ requestId }) => hitRequests(ended).has(requestId))).toEqual([])
        expect(ended.affected_calls).toBe(before.affected_calls)
      })
    },
  )
}

/** The experiment once two readings in a row tell of the same hits. */
async function settled(server: RunningServer, hit: Tenant, id: string) {
  let last = -1
  await expect
    .poll(
      async () => {
        const now = (await readExperiment(server, hit, id)).affected_calls
        const isSame = now === last
        last = now
        return isSame
      },
      { ...patience, interval: 1_000 },
    )
    .toBe(true)
  return readExperiment(server, hit, id)
}
