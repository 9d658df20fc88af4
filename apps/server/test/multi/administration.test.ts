/** Administration on one instance takes effect on all of them: settings, feature flags, and a dropped key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { operatorEmail, type RunningServer } from '../support/server-process.ts'
import { type Cluster, openCluster, surroundings } from './cluster.ts'

/** Without notices, instances poll once a second; values known without polling are trusted for a minute. */
const patience = { timeout: 30_000, interval: 20 }

for (const { name, withServices, skip } of ofRound(surroundings)) {
  describe.skipIf(skip !== null)(titleOf(`three instances ${name}`, skip), () => {
    let cluster: Cluster
    let all: readonly RunningServer[] = []
    beforeAll(async () => {
      cluster = await openCluster({ withServices })
      all = [cluster.a, cluster.b, await cluster.start('c')]
    })
    afterAll(() => cluster?.close())

    const untilAll = async (says: (server: RunningServer) => Promise<unknown>, wanted: unknown): Promise<void> => {
      await Promise.all(all.map((server) => expect.poll(() => says(server), patience).toEqual(wanted)))
    }
    const get = async (server: RunningServer, path: string) =>
      expectCall(server.address, path, { token: cluster.token, status: 200 })

    const change = async (server: RunningServer, days: number) =>
      expectCall(server.address, '/admin/config', {
        method: 'PATCH',
        token: cluster.token,
        body: { values: { 'keys.data_days': days }, comment: 'For all' },
        status: 200,
      })
    const daysOn = async (server: RunningServer): Promise<unknown> =>
      (await get(server, '/admin/config?key=keys.data_days')).data[0].value

    it('run with a setting soon after one of them was told, and each says with which version', async () => {
      for (const [index, server] of all.entries()) {
        const { data } = await change(server, 500 + index)
        await untilAll(daysOn, 500 + index)
        const behind = async (reader: RunningServer): Promise<unknown> => {
          const [newest] = (await get(reader, '/admin/config/changes')).data
          const nodes: readonly { readonly version: number }[] = newest.nodes
          return [newest.id, nodes.length, nodes.filter(({ version }) => version < newest.version).length]
        }
        await untilAll(behind, [data.id, all.length, 0])
      }
    })

    it.runIf(withServices)('do so without the bus as well', async () => {
      for (const proxy of cluster.proxies) proxy.cut()
      await change(cluster.a, 700)
      await untilAll(daysOn, 700)
      for (const proxy of cluster.proxies) proxy.mend()
    })

    it('serve a feature flag as it was left by whichever was told', async () => {
      const variants = [
        { key: 'on', value: true },
        { key: 'off', value: false },
      ]
      const flag = { key: 'shared', value_type: 'boolean', variants, default_variant: 'on', off_variant: 'off' }
      const body = { ...flag, status: 'enabled' }
      await expectCall(cluster.a.address, '/admin/feature-flags', {
        ...{ method: 'POST', token: cluster.token, body, status: 201 },
      })
      const valueOn = async (server: RunningServer): Promise<unknown> => {
        const explained = await get(server, '/admin/feature-flags/shared?explain_for=%7B%7D')
        return explained.data.explanation.value
      }
      await untilAll(valueOn, true)
      await expectCall(all[2]?.address ?? '', '/admin/feature-flags/shared', {
        ...{ method: 'PATCH', token: cluster.token, body: { status: 'disabled' }, status: 200 },
      })
      await untilAll(valueOn, false)
    })

    it('C03 C65 refuse every token soon after one of them dropped the signing key, and sign people in again', async () => {
      const statusOn = async (server: RunningServer): Promise<number> =>
        (await call(server.address, '/auth/me', { token: cluster.token })).status
      await untilAll(statusOn, 200)
      const body = { purpose: 'token_signing', emergency: true }
      await expectCall(cluster.b.address, '/admin/keys/rotate', {
        ...{ method: 'POST', token: cluster.token, body, status: 200 },
      })
      await untilAll(statusOn, 401)
      for (const server of all) {
        const token = await signIn(server.address, operatorEmail)
        for (const other of all)
          await expect.poll(async () => (await call(other.address, '/auth/me', { token })).status, patience).toBe(200)
      }
    })
  })
}
