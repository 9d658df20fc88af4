import { expect, test } from 'vitest'
import type { Finding, HealthCheck } from '../../../kernel/health/checks.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { createMonitor, type StatusChange } from './monitor.ts'

function scene(timing: Partial<HealthCheck> = {}) {
  const clock = createFakeClock()
  const changes: StatusChange[] = []
  let answer: () => Promise<Finding> = async () => ({ status: 'pass' })
  const monitor = createMonitor({
    clock,
    checks: () => [{ name: 'it', timeoutMs: 500, ...timing, run: () => answer() }],
    changed: (change) => changes.push(change),
  })
  const see = async (...found: readonly (Finding['status'] | 'throw')[]) => {
    const seen: string[] = []
    for (const status of found) {
      clock.advance(1000)
      answer = async () => {
        if (status === 'throw') throw new TypeError('secret words')
        return { status }
      }
      seen.push((await monitor.look(0)).it?.status ?? '')
    }
    return seen
  }
  return { clock, changes, monitor, see, hang: () => (answer = () => new Promise(() => undefined)) }
}

test('a failure at the very first is a warning until it is confirmed', async () => {
  const { see } = scene()
  expect(await see('fail', 'fail', 'fail')).toEqual(['warn', 'warn', 'fail'])
})

test('the first finding counts at once, later ones after three for the worse and two for the better', async () => {
  const { see, changes } = scene()
  expect(await see('pass', 'fail', 'fail', 'pass', 'fail', 'fail', 'fail')).toEqual([
    ...['pass', 'pass', 'pass', 'pass', 'pass', 'pass', 'fail'],
  ])
  expect(await see('pass', 'fail', 'pass', 'pass')).toEqual(['fail', 'fail', 'fail', 'pass'])
  expect(changes).toEqual([
    { check: 'it', from: 'pass', to: 'fail' },
    { check: 'it', from: 'fail', to: 'pass' },
  ])
})

test('a check that alternates never flaps', async () => {
  const { see, changes } = scene()
  await see('pass', ...Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? ('fail' as const) : ('pass' as const))))
  expect(changes).toEqual([])
})

test('what it throws is told by its class alone', async () => {
  const { see, monitor } = scene()
  expect(await see('throw')).toEqual(['warn'])
  const { it } = await monitor.look(60_000)
  expect(it?.error_class).toBe('TypeError')
  expect(JSON.stringify(it)).not.toContain('secret')
})

test('one that hangs fails when its time is over', async () => {
  const { clock, monitor, hang } = scene()
  hang()
  const looking = monitor.look(0)
  clock.advance(500)
  expect((await looking).it).toMatchObject({ last_status: 'fail', error_class: 'Timeout' })
})

test('what minds being asked often is asked seldom while all is well, and at every look when it is not', async () => {
  const { clock, see, monitor } = scene({ everyMs: 60_000 })
  expect(await see('pass', 'fail')).toEqual(['pass', 'pass'])
  expect((await monitor.look(0)).it?.last_status).toBe('pass')
  clock.advance(60_000)
  expect(await see('fail', 'fail', 'fail', 'pass', 'pass')).toEqual(['pass', 'pass', 'fail', 'fail', 'pass'])
})

test('a finding that is young enough is not looked for again', async () => {
  const { see, monitor, hang } = scene()
  await see('pass')
  hang()
  expect((await monitor.look(60_000)).it?.status).toBe('pass')
})
