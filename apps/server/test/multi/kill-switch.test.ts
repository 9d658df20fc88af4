/** A kill switch over three instances: its propagation report is true, and an instance that cannot know refuses. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { hang, openUpstream, type Received, say, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { call, expectCall, type HttpAnswer } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import type { RunningServer } from '../support/server-process.ts'
import { type Cluster, openCluster, surroundings } from './cluster.ts'

const reason = 'an exercise over all instances'
/** Longer than the ten seconds for which a list is trusted, and a run on a busy machine. */
const patience = { timeout: 30_000, interval: 100 }

for (const { name, withServices, skip } of ofRound(surroundings)) {
  describe.skipIf(skip !== null)(titleOf(`a kill switch on instances ${name}`, skip), () => {
    let cluster: Cluster
    let upstream: Upstream
    let servers: readonly RunningServer[]

    beforeAll(async () => {
      upstream = await openUpstream()
      cluster = await openCluster({ withServices, environment: { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8' } })
      servers = [cluster.a, cluster.b, await cluster.start('c')]
      const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
      const kind = { kind: 'openai_compatible', base_url: upstream.url, models: ['test-*'], secrets }
      await expectCall(cluster.a.address, '/gateway/providers', {
        ...{ method: 'POST', token: cluster.token, status: 201 },
        body: { name: 'local', ...kind },
      })
    })
    afterAll(async () => {
      await cluster?.close()
      await upstream?.close()
    })

    const ask = (server: RunningServer, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> => {
      const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }], cache: { mode: 'off' } }
      return call(server.address, '/gateway/chat/completions', { method: 'POST', token: cluster.token, body, headers })
    }
    const activate = (server: RunningServer, value: string): Promise<HttpAnswer> =>
      expectCall(server.address, '/gateway/kill-switches', {
        ...{ method: 'POST', token: cluster.token, status: 201 },
        body: { scope: 'model', value, reason },
      })
    const deactivate = (server: RunningServer, { data }: HttpAnswer): Promise<HttpAnswer> =>
      expectCall(server.address, `/gateway/kill-switches/${data.id}/deactivate`, {
        ...{ method: 'POST', token: cluster.token, status: 200 },
        body: { reason },
      })

    /** The answer tells the same, unless an instance took longer to acknowledge than an answer may wait. */
    const expectStored = async ({ data }: HttpAnswer, told: object) => {
      const read = async () => {
        const { data: listed } = await call(cluster.a.address, '/gateway/kill-switches', { token: cluster.token })
        return listed.find(({ id }: { readonly id: string }) => id === data.id).propagation
      }
      await expect.poll(read, patience).toMatchObject(told)
      return read()
    }

    /** Starts a call that hangs at the provider; one is refused by an instance that has not got to its list in time. */
    const hold = async (
      server: RunningServer,
    ): Promise<{ readonly at: Received; readonly end: Promise<HttpAnswer> }> => {
      for (;;) {
        const arrived = upstream.next()
        const end = ask(server)
        const at = await Promise.race([arrived, end.then(() => null)])
        if (at !== null) return { at, end }
      }
    }

    const allAnswer = async (): Promise<void> => {
      for (const server of servers) await expect.poll(async () => (await ask(server)).status, patience).toBe(200)
    }

    it('ends the calls of all of them and counts them all', async () => {
      await allAnswer()
      upstream.reply(hang)
      const held = []
      for (const server of [...servers, ...servers]) held.push(await hold(server))
      const made = await activate(cluster.a, 'test-model')
      const told = { nodes_total: 3, nodes_acked: 3, inflight_aborted: held.length }
      const propagation = await expectStored(made, told)
      expect(propagation.max_ms).toBeGreaterThanOrEqual(propagation.p50_ms)
      expect(propagation.p50_ms).toBeGreaterThan(0)
      const answers = await Promise.all(servers.map((server) => ask(server)))
      expect(answers.map(({ errorCode }) => errorCode)).toEqual(['GW-010', 'GW-010', 'GW-010'])
      for (const { at, end } of held) {
        await at.closed
        expect((await end).errorCode).toBe('GW-010')
      }
      for (const server of servers) {
        const { data } = await expectCall(server.address, '/gateway/kill-switches', {
          ...{ token: cluster.token, status: 200 },
        })
        expect(data).toMatchObject([{ id: made.data.id, propagation }])
      }
      upstream.reply(say('Hello.'))
      await deactivate(cluster.b, made)
      await allAnswer()
    })

    it('is not passed on another instance by sending a call again', async () => {
      const headers = { 'idempotency-key': `again-${name.length}` }
      expect((await ask(cluster.a, headers)).status).toBe(200)
      const made = await activate(cluster.b, 'test-model')
      await expectStored(made, { nodes_acked: 3 })
      expect((await ask(servers[2] as RunningServer, headers)).errorCode).toBe('GW-010')
      await deactivate(cluster.b, made)
    })

    it('is counted on an instance that was out of reach as soon as it has come back and enforces it', async () => {
      const proxy = await startCuttableProxy(cluster.databaseUrl)
      const url = new URL(cluster.databaseUrl)
      url.host = new URL(proxy.url).host
      const apart = await cluster.start('apart', { PARAPET_DATABASE_URL: url.href, PARAPET_LOG_LEVEL: 'silent' })
      expect((await ask(apart)).status).toBe(200)
      proxy.cut()
      const made = await activate(cluster.a, 'test-model')
      await expectStored(made, { nodes_total: 4, nodes_acked: 3 })
      // It does not know yet, and it does not answer calls that it cannot record.
      expect((await ask(apart)).status).toBe(503)
      proxy.mend()
      await expectStored(made, { nodes_total: 4, nodes_acked: 4 })
      // It may enforce the switch before it has found out that it can record again.
      const statuses: number[] = []
      const refused = async () => {
        const { status, errorCode } = await ask(apart)
        statuses.push(status)
        return errorCode
      }
      await expect.poll(refused, patience).toBe('GW-010')
      expect(statuses).not.toContain(200)
      await deactivate(cluster.a, made)
      await apart.signal('SIGTERM')
      await proxy.close()
    })

    it('is taken to be on where it cannot be read for ten seconds', async () => {
      await allAnswer()
      const session = new pg.Client({ connectionString: cluster.databaseUrl })
      await session.connect()
      await session.query('begin')
      await session.query('lock table aegis_kill_switch in access exclusive mode')
      for (const server of servers)
        await expect.poll(async () => (await ask(server)).errorCode, patience).toBe('GW-010')
      await session.query('rollback')
      // The list that was waited for is trusted for as long as is left of its ten seconds; only the next one lasts.
      const here = async () => {
        const recent = await session.query(
          `select name from aegis_instance where seen_at > clock_timestamp() - interval '3 seconds'`,
        )
        return recent.rowCount
      }
      await expect.poll(here, patience).toBe(servers.length)
      await session.end()
      await allAnswer()
    })

    it('tells of an instance that died that it did not answer', async () => {
      await servers[2]?.signal('SIGKILL')
      const made = await activate(cluster.b, 'test-other')
      await expectStored(made, { nodes_total: 3, nodes_acked: 2 })
      await deactivate(cluster.b, made)
    })
  })
}
