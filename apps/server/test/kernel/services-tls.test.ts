/** The bus and the cache as the page on TLS has them: encrypted, with a credential for each instance. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createJetStreamBus, type JetStreamBusOptions } from '../../src/kernel/events/bus/jetstream.ts'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { connectValkey, whenReady } from '../../src/kernel/valkey/connection.ts'
import { blockOf } from '../support/documented.ts'
import {
  type Certificate,
  freePort,
  type Program,
  reasonWithout,
  selfSigned,
  startListening,
} from '../support/programs.ts'

const skip = reasonWithout('nats-server', 'redis-server', 'openssl')
const page = 'docs/reference/tls.md'

describe.skipIf(skip !== null)(titleOf('between instances', skip), () => {
  let folder: string
  let own: Certificate
  let strange: Certificate
  let ports: { readonly nats: number; readonly redis: number }
  const running: Program[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-tls-'))
    await chmod(folder, 0o755)
    own = await selfSigned(folder, 'own')
    strange = await selfSigned(folder, 'strange')
    ports = { nats: await freePort(), redis: await freePort() }
    const here = (text: string, from: string, port: number): string =>
      text
        .replaceAll(from, String(port))
        .replaceAll('/etc/parapet/services.crt', own.certificate)
        .replaceAll('/etc/parapet/services.key', own.key)
        .replaceAll('/var/lib/nats', join(folder, 'nats'))
    await writeFile(join(folder, 'nats.conf'), here(blockOf(page, 'nats'), '4222', ports.nats))
    await writeFile(join(folder, 'redis.conf'), here(blockOf(page, 'redis'), '6379', ports.redis))
    running.push(await startListening(ports.nats, 'nats-server', '-c', join(folder, 'nats.conf')))
    running.push(await startListening(ports.redis, 'redis-server', join(folder, 'redis.conf'), '--dir', folder))
  })
  afterAll(async () => {
    await Promise.all(running.map((program) => program.stop()))
    await rm(folder, { recursive: true, force: true })
  })

  const ca = (of: Certificate) => readFileSync(of.certificate, 'utf8')

  function bus(address: string, more: Partial<JetStreamBusOptions> = {}) {
    const errors: string[] = []
    const onError = (error: unknown) => void errors.push(String(error))
    const made = createJetStreamBus({ servers: address, ca: ca(own), prefix: 'parapet', onError, ...more })
    return { ...made, bus: made, errors }
  }
  const nats = (credential: string, scheme = 'tls') => `${scheme}://${credential}127.0.0.1:${ports.nats}`
  const redis = (credential: string, scheme = 'rediss') => `${scheme}://${credential}127.0.0.1:${ports.redis}`

  test('C70 two instances with credentials of their own hear each other over TLS', async () => {
    const one = bus(nats('instance-1:first-long-password@'))
    const two = bus(nats('instance-2:second-long-password@'))
    await vi.waitFor(() => expect([one.bus.healthy(), two.bus.healthy()]).toEqual([true, true]), 30_000)
    const heard: string[] = []
    await two.bus.subscribe('ev.t1', ({ subject }) => heard.push(subject))
    await vi.waitFor(async () => {
      await one.bus.publish({ subject: 'ev.t1.a', id: randomUUID(), body: new Uint8Array() })
      expect(heard).toContain('ev.t1.a')
    }, 30_000)
    await Promise.all([one.bus.close(), two.bus.close()])
  })

  test.each([
    ['without a credential', '', 'tls', 'own'],
    ['with another’s password', 'instance-1:second-long-password@', 'tls', 'own'],
    ['whose certificates do not vouch for the server', 'instance-1:first-long-password@', 'tls', 'strange'],
  ] as const)('C70 the bus takes no instance %s', async (_who, credential, scheme, trusted) => {
    const { bus: made, errors } = bus(nats(credential, scheme), { ca: ca(trusted === 'own' ? own : strange) })
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 30_000)
    expect(made.healthy()).toBe(false)
    await made.close()
  })

  test('C70 nothing of the bus is said in clear: a server without TLS is refused', async () => {
    const port = await freePort()
    const bare = await startListening(port, 'nats-server', '-a', '127.0.0.1', '-p', String(port))
    const { bus: made, errors } = bus(`tls://instance-1:first-long-password@127.0.0.1:${port}`)
    await vi.waitFor(() => expect(errors.join()).toMatch(/tls/i), 30_000)
    expect(made.healthy()).toBe(false)
    await made.close()
    await bare.stop()
  })

  test('C70 the cache is reached over TLS with a credential', async () => {
    const client = connectValkey({
      ...{ url: redis('instance-1:first-long-password@'), ca: ca(own), onError: () => {} },
      commandTimeoutMs: 30_000,
    })
    await whenReady(client, 30_000)
    await client.set('parapet:tls', 'kept')
    expect(await client.get('parapet:tls')).toBe('kept')
    await expect(client.call('config', 'get', '*')).rejects.toThrow('NOPERM')
    client.disconnect()
  })

  test.each([
    ['without a credential', '', 'rediss', 'own', /NOAUTH/],
    ['with a wrong password', 'instance-1:not-the-password@', 'rediss', 'own', /WRONGPASS|NOAUTH/],
    [
      'whose certificates do not vouch for the server',
      'instance-1:first-long-password@',
      'rediss',
      'strange',
      /certificate/,
    ],
    ['in clear', 'instance-1:first-long-password@', 'redis', 'own', /ECONNRESET|EPIPE|closed/i],
  ] as const)('C70 the cache takes no instance %s', async (_who, credential, scheme, trusted, why) => {
    const errors: string[] = []
    const onError = (error: unknown) => void errors.push(String(error))
    const client = connectValkey({ url: redis(credential, scheme), ca: ca(trusted === 'own' ? own : strange), onError })
    const kept: unknown[] = []
    // Refused by the server, which is another thing than being there too late.
    await vi.waitFor(async () => {
      await client.get('parapet:tls').then((value) => kept.push(value), onError)
      expect(errors.join()).toMatch(why)
    }, 30_000)
    expect(kept).toEqual([])
    client.disconnect()
  })
})
