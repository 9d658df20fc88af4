import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { operatorEmail, type RunningServer } from '../support/server-process.ts'
import { type Cluster, openCluster, surroundings } from './cluster.ts'
import { type EventSocket, openEventSocket } from './event-socket.ts'

/** Without notices, instances poll once a second; values known without polling are trusted for a minute. */
const patience = { timeout: 30_000, interval: 20 }

for (const { name, withServices, skip } of ofRound(surroundings)) {
  describe.skipIf(skip !== null)(titleOf(`two instances ${name}`, skip), () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await openCluster({ withServices })
    })
    afterAll(() => cluster?.close())

    const makeKey = async (server: RunningServer): Promise<{ readonly id: string; readonly secret: string }> => {
      const body = { name: 'Shared', scopes: ['iam:read'] }
      return (
        await expectCall(server.address, '/iam/api-keys', { method: 'POST', token: cluster.token, body, status: 201 })
      ).data
    }
    const statusWith = async (server: RunningServer, token: string): Promise<number> =>
      (await call(server.address, '/iam/users', { token })).status

    /** Of a credential that all of them know and that was just revoked. */
    const expectRefused = async (servers: readonly RunningServer[], token: string): Promise<void> => {
      await Promise.all(servers.map((server) => expect.poll(() => statusWith(server, token), patience).toBe(401)))
    }
    const expectKnown = async (servers: readonly RunningServer[], token: string): Promise<void> => {
      for (const server of servers) expect(await statusWith(server, token)).toBe(200)
    }

    const expectKeyRevocation = async (at: RunningServer, others: readonly RunningServer[]): Promise<void> => {
      const key = await makeKey(at)
      await expectKnown([at, ...others], key.secret)
      await expectCall(at.address, `/iam/api-keys/${key.id}`, { method: 'DELETE', token: cluster.token, status: 200 })
      expect(await statusWith(at, key.secret)).toBe(401)
      await expectRefused(others, key.secret)
    }

    const expectDelivered = async (sockets: readonly EventSocket[], ids: readonly string[]): Promise<void> => {
      for (const socket of sockets) {
        const got = () => socket.events.map(({ data }) => data.api_key_id).filter((id) => ids.includes(String(id)))
        await expect.poll(() => got().length, patience).toBe(ids.length)
        expect(new Set(got())).toEqual(new Set(ids))
        const sequences = socket.events.map(({ sequence }) => Number(sequence))
        expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index))
      }
    }
    const listen = (server: RunningServer): Promise<EventSocket> =>
      openEventSocket(server.address, cluster.token, ['iam.api_key.created'])

    it('start on an empty database at the same time and have one administrator', async () => {
      const tokens = await Promise.all([cluster.a, cluster.b].map((server) => signIn(server.address, operatorEmail)))
      for (const token of tokens) {
        expect((await expectCall(cluster.b.address, '/iam/users', { token, status: 200 })).data).toHaveLength(1)
      }
    })

    describe('and a third', () => {
      let c: RunningServer
      beforeAll(async () => {
        c = await cluster.start('c')
      })
      afterAll(() => c?.signal('SIGTERM'))

      it('C03 refuse a revoked API key everywhere, long before what they know of it is too old to be believed', async () => {
        const { a, b } = cluster
        await expectKeyRevocation(a, [b, c])
        await expectKeyRevocation(b, [c, a])
        await expectKeyRevocation(c, [a, b])
      })

      it('C03 refuse a session that ended on another one as soon', async () => {
        const { a, b } = cluster
        const token = await signIn(a.address, operatorEmail)
        await expectKnown([a, b, c], token)
        await expectCall(b.address, '/auth/logout', { method: 'POST', token, body: {}, status: 200 })
        await expectRefused([a, c], token)
        expect(await statusWith(a, cluster.token)).toBe(200)
      })
    })

    it('deliver what happens on either one to the sockets of both, in one order', async () => {
      const sockets = await Promise.all([cluster.a, cluster.b].map(listen))
      const ids: string[] = []
      for (let round = 0; round < 10; round += 1) {
        const made = await Promise.all([makeKey(cluster.a), makeKey(cluster.b)])
        ids.push(...made.map(({ id }) => id))
      }
      await expectDelivered(sockets, ids)
      const [left = [], right] = sockets.map(({ events }) => events.map(({ id }) => id))
      expect(right).toEqual(left)
      for (const socket of sockets) socket.close()
    })

    it.runIf(withServices)('do all that without NATS and Valkey, when these go away', async () => {
      const sockets = await Promise.all([cluster.a, cluster.b].map(listen))
      for (const proxy of cluster.proxies) proxy.cut()
      const made = [await makeKey(cluster.a), await makeKey(cluster.b)]
      await expectDelivered(
        sockets,
        made.map(({ id }) => id),
      )
      await expectKeyRevocation(cluster.a, [cluster.b])
      for (const proxy of cluster.proxies) proxy.mend()
      for (const socket of sockets) socket.close()
    })

    it('lose no event when one is killed at work: the other takes over, and a third joins', async () => {
      const socket = await listen(cluster.b)
      const ids: string[] = []
      const work = async (server: RunningServer, until: () => boolean): Promise<void> => {
        while (!until()) ids.push((await makeKey(server)).id)
      }
      const cut = work(cluster.a, () => false).then(
        () => expect.unreachable(),
        () => {},
      )
      const steady = work(cluster.b, () => ids.length >= 60)
      await expect.poll(() => ids.length, patience).toBeGreaterThan(20)
      await cluster.a.signal('SIGKILL')
      await Promise.all([cut, steady])
      const third = await cluster.start('d')
      ids.push((await makeKey(third)).id)
      // A key whose answer was lost may have its event as well: the socket has at least all that was acknowledged.
      await expectDelivered([socket], ids)
      await expectKeyRevocation(third, [cluster.b])
      socket.close()
    })
  })
}
