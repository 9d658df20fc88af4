/** Each dependency is taken away for real, and its health report is watched until it is back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CuttableWorld, openCuttableWorld } from '../../../../test/support/cuttable-world.ts'
import { isAvailable } from '../../../../test/support/database.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { type CuttableProxy, startCuttableProxy } from '../../../kernel/testing/cuttable-proxy.ts'
import type { AdminServices } from '../services/admin-services.ts'

const healthOf = (world: World) => (world.program.assembled.modules.servicesOf('admin') as AdminServices).health
/** Ten seconds are what an operator is promised; looks come every three, and a machine under load needs a little more. */
const patience = { timeout: 30_000, interval: 100 }

describe('the mail relay', () => {
  let sink: MailSink
  let proxy: CuttableProxy
  let world: World
  const status = async (maxAgeMs = 0) => (await healthOf(world).platform(maxAgeMs)).mail?.status

  beforeAll(async () => {
    sink = await openMailSink()
    proxy = await startCuttableProxy(sink.url)
    world = await openWorld({ environment: { PARAPET_SMTP_URL: proxy.url } })
  })
  afterAll(async () => {
    await world?.close()
    await proxy?.close()
    await sink?.close()
  })

  test('is asked once a minute while it is well, and not at all where none is configured', async () => {
    await expect.poll(() => status(), patience).toBe('pass')
    const before = (await healthOf(world).platform(0)).mail?.checked_at
    expect((await healthOf(world).platform(0)).mail?.checked_at).toBe(before)
  })

  test('is told as failed once three looks in a row have failed, and as well after two good ones', async () => {
    proxy.cut()
    const { clock } = world.kernel
    const now = clock.now
    // A minute later, when it is asked again.
    Object.assign(clock, { now: () => now() + 60_000 })
    try {
      expect([await status(), await status(), await status()]).toEqual(['pass', 'pass', 'fail'])
      expect((await healthOf(world).platform(60_000)).mail?.error_class).toBe('Error')
      proxy.mend()
      expect([await status(), await status()]).toEqual(['fail', 'pass'])
    } finally {
      Object.assign(clock, { now })
    }
  })
})

describe.skipIf(!(await isAvailable('pg')))('PostgreSQL (skipped where there is none)', () => {
  let opened: CuttableWorld | undefined
  let proxy: CuttableProxy
  let world: World
  const statuses = async (names: readonly string[]) => {
    const states = await healthOf(world).platform(500)
    return names.map((name) => states[name]?.status)
  }
  const needing = ['database', 'row_level_security', 'clock', 'event_relay', 'audit_seal', 'job_queues', 'change_feed']

  beforeAll(async () => {
    opened = await openCuttableWorld()
    ;({ world, proxy } = opened)
  })
  afterAll(() => opened?.close())

  test('is told as failed with all that needs it, and as well again when it is back, by itself', async () => {
    await expect.poll(() => statuses(needing), patience).toEqual(needing.map(() => 'pass'))
    proxy.cut()
    await expect
      .poll(() => statuses(['database', 'clock', 'row_level_security']), patience)
      .toEqual(Array(3).fill('fail'))
    expect(await statuses(['disk'])).not.toEqual(['fail'])
    expect((await world.program.app.inject('/healthz')).statusCode).toBe(200)
    expect((await world.program.app.inject('/readyz')).statusCode).toBe(503)
    proxy.mend()
    await expect.poll(() => statuses(needing), { timeout: 30_000, interval: 100 }).toEqual(needing.map(() => 'pass'))
  })
})
