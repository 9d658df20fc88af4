/** A consent withdrawn on one instance stops model calls on the other, as soon as its change arrives there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { openUpstream, say, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { call, expectCall, type HttpAnswer } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import type { RunningServer } from '../support/server-process.ts'
import { type Cluster, openCluster, surroundings } from './cluster.ts'

const patience = { timeout: 30_000, interval: 20 }
const purpose = 'support'

for (const { name, withServices, skip } of ofRound(surroundings)) {
  describe.skipIf(skip !== null)(titleOf(`consent on two instances ${name}`, skip), () => {
    let cluster: Cluster
    let upstream: Upstream

    beforeAll(async () => {
      upstream = await openUpstream()
      upstream.reply(say('Hello.'))
      cluster = await openCluster({ withServices, environment: { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8' } })
      const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
      const kind = { kind: 'openai_compatible', base_url: upstream.url, models: ['test-*'], secrets }
      await post('/gateway/providers', { name: 'local', ...kind })
      const notice = { key: 'shop', title: 'Shop', controller: 'Shop Ltd', withdrawal_method: 'Account page' }
      await post('/data-gov/consents', { kind: 'notice', notice: { ...notice, purposes: [{ purpose }] } })
    })
    afterAll(async () => {
      await cluster?.close()
      await upstream?.close()
    })

    const post = (path: string, body: object, server: RunningServer = cluster.a) =>
      expectCall(server.address, path, { method: 'POST', token: cluster.token, body, status: 201 })
    const tell = (server: RunningServer, person: string, event: string) => {
      const subject = { aliases: [{ kind: 'email', value: person }] }
      const given = event === 'given' ? { notice_key: 'shop' } : {}
      const told = { subject, event, purposes: [purpose], method: 'web_form', ...given }
      return post('/data-gov/consents', { kind: 'event', event: told }, server)
    }
    const ask = (server: RunningServer, person: string): Promise<HttpAnswer> => {
      const body = {
        ...{ model: 'test-model', messages: [{ role: 'user', content: 'hello' }], cache: { mode: 'off' } },
        metadata: { data_subject: person, purpose },
      }
      return call(server.address, '/gateway/chat/completions', { method: 'POST', token: cluster.token, body })
    }
    const statusOf = async (server: RunningServer, person: string) => (await ask(server, person)).status

    it('is withdrawn here at once and there when the change arrives, and given anew in the same way', async () => {
      const { a, b } = cluster
      for (const [here, there] of [
        [a, b],
        [b, a],
      ] as const) {
        const person = `ann.${here === a ? 'a' : 'b'}@people.example`
        await tell(here, person, 'given')
        // Both have it in memory now.
        for (const server of [here, there]) await expect.poll(() => statusOf(server, person), patience).toBe(200)
        await tell(here, person, 'withdrawn')
        expect(await statusOf(here, person)).toBe(422)
        await expect.poll(() => statusOf(there, person), patience).toBe(422)
        // Once it is known it does not come back.
        for (let again = 0; again < 5; again += 1) expect(await statusOf(there, person)).toBe(422)
        await tell(there, person, 'given')
        expect(await statusOf(there, person)).toBe(200)
        await expect.poll(() => statusOf(here, person), patience).toBe(200)
      }
    })

    it('of a person whom the other instance knows as nobody counts there too', async () => {
      const person = 'new@people.example'
      expect(await statusOf(cluster.b, person)).toBe(422)
      await tell(cluster.a, person, 'given')
      await expect.poll(() => statusOf(cluster.b, person), patience).toBe(200)
    })

    it('counts on all instances with the answer, where the tenant asks for strict consent', async () => {
      const { a, b } = cluster
      const person = 'strict@people.example'
      const values = { 'data_gov.strict_consent': true }
      await expectCall(a.address, '/admin/config', {
        ...{ method: 'PATCH', token: cluster.token, status: 200 },
        body: { values, comment: 'Strict' },
      })
      const isStrict = async () =>
        (await call(b.address, '/admin/config', { token: cluster.token })).data.find(
          ({ key }: { readonly key: string }) => key === 'data_gov.strict_consent',
        )?.value
      await expect.poll(isStrict, patience).toBe(true)
      await tell(a, person, 'given')
      for (let round = 0; round < 3; round += 1) {
        expect(await statusOf(b, person)).toBe(200)
        await tell(a, person, 'withdrawn')
        expect(await statusOf(b, person)).toBe(422)
        await tell(a, person, 'given')
      }
    })
  })
}
