/** The gateway in a network that lets nothing out but through a proxy, set up as the page on it says. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProxy, type TestProxy } from '../../src/kernel/egress/testing/proxy.ts'
import { closeAll } from '../../src/kernel/egress/testing/upstream.ts'
import { createLogger } from '../../src/kernel/observe/log.ts'
import { addProvider, ask, framesOf, textOf } from '../../src/modules/gateway/testing/support.ts'
import { openUpstream, say, streamed, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { blockOf } from '../support/documented.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../support/world.ts'

const credential = 'parapet:canary-of-the-proxy-91c4'
let folder: string
let proxy: TestProxy
let upstream: Upstream
let world: OwnWorld
let tenant: TestTenant
let log = ''

function keep(line: string): void {
  log += line
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-out-'))
  const file = join(folder, 'credential')
  await writeFile(file, credential)
  proxy = await openProxy({ credential })
  upstream = await openUpstream()
  const environment = blockOf('docs/reference/egress-proxy.md', 'env')
    .replace('http://proxy.example.com:3128', proxy.url)
    .replace('/run/secrets/egress-proxy', file)
  world = await openWorld({
    environment: {
      ...Object.fromEntries(environment.split('\n').map((line) => line.split('=', 2))),
      PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '10.9.0.0/16',
    },
    log: createLogger({ level: 'trace', now: Date.now, destination: { write: keep } }),
  })
  tenant = await world.tenant('behind')
})
afterAll(async () => {
  await world?.close()
  await upstream?.close()
  await closeAll()
  await rm(folder, { recursive: true, force: true })
})

/** The upstream by an address that is not here, which the proxy takes for its own machine. */
const beyond = () => ({ ...upstream, url: upstream.url.replace('127.0.0.1', '10.9.9.9') })
const authority = () => new URL(beyond().url).host

test('a provider is found, tested and called through the proxy, in one piece and streamed', async () => {
  const { id } = await addProvider(tenant.admin, 'beyond', beyond(), { models: ['test-model'] })
  upstream.reply(say('From beyond.'))
  const tested = expectStatus(await tenant.admin.post(`/gateway/providers/${id}/test`, {}), 200).body.data
  expect(tested.checks.slice(0, 2)).toMatchObject([
    { name: 'resolve', ok: true },
    { name: 'dial', ok: true },
  ])
  const answer = expectStatus(await ask(tenant.admin, 'Is anybody there?'), 200)
  expect(answer.body.data.choices[0].message.content).toBe('From beyond.')
  upstream.reply(streamed(['Piece ', 'by piece.']))
  const stream = await ask(tenant.admin, 'And in pieces?', { stream: true })
  expect(textOf(framesOf(stream.text))).toBe('Piece by piece.')
  expect(new Set(proxy.asked)).toEqual(new Set([authority()]))
})

test('C50 what the network guard refuses is refused behind a proxy too', async () => {
  const before = proxy.asked.length
  for (const url of ['https://169.254.169.254/v1', 'https://10.8.0.1/v1', 'http://127.0.0.1:9/v1']) {
    const answer = await tenant.admin.post('/gateway/providers', {
      ...{ name: 'inside', kind: 'openai_compatible', base_url: url, models: ['other-*'] },
      secrets: [{ id: 'main', value: 'sk-test-0123456789abcdef' }],
    })
    expect(answer).toMatchObject({ status: 422, body: { error_code: 'GW-023' } })
  }
  expect(proxy.asked).toHaveLength(before)
})

test('health and the log name the proxy, and nothing names its credential', async () => {
  const found = expectStatus(await world.operator.get('/admin/health', { query: { max_age_ms: '0' } }), 200).body.data
  expect(found.checks.egress_proxy).toMatchObject({
    status: 'pass',
    observed: { proxy: proxy.url, names: 'here', direct: '10.20.0.0/16, vault.example.com' },
  })
  expect(log).toContain('calls to the outside go through a proxy')
  expect(JSON.stringify(found) + log).not.toContain('canary-of-the-proxy')
})

test('a credential the proxy no longer takes is told by the test of a provider, without it', async () => {
  const { id } = await addProvider(tenant.admin, 'again', beyond())
  await writeFile(join(folder, 'credential'), 'parapet:canary-of-another')
  const { body, text } = expectStatus(await tenant.admin.post(`/gateway/providers/${id}/test`, {}), 200)
  expect(body.data).toMatchObject({ ok: false })
  expect(body.data.checks[1]).toMatchObject({ name: 'dial', ok: false, detail: 'connect: proxy answered 407' })
  expect(text + log).not.toMatch(/canary-of/)
})
