import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('a route is counted by class of status with its duration in seconds', async () => {
  const metrics = createMetrics()
  const meter = metrics.route('GET', '/api/v1/risk/register')
  meter.observe(200, 4)
  meter.observe(503, 20_000)
  const text = await metrics.render()
  expect(text).toContain(
    'parapet_http_request_duration_seconds_bucket{le="0.005",method="GET",route="/api/v1/risk/register",status="2xx"} 1',
  )
  expect(text).toContain(
    'parapet_http_request_duration_seconds_sum{method="GET",route="/api/v1/risk/register",status="5xx"} 20',
  )
})

test('label values outside the declared list become one series', async () => {
  const metrics = createMetrics()
  const refusals = metrics.counter({ name: 'refusals_total', help: 'Refusals', labels: { rule: ['size'] } })
  refusals.add({ rule: 'size' })
  for (let attack = 0; attack < 1_000; attack += 1) refusals.add({ rule: `made-up-${attack}` })
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('parapet_refusals_total{'))
  expect(lines).toEqual(['parapet_refusals_total{rule="size"} 1', 'parapet_refusals_total{rule="other"} 1000'])
})

test('asked twice for a name it gives the same meter', async () => {
  const metrics = createMetrics()
  metrics.counter({ name: 'runs_total', help: 'Runs' }).add({})
  metrics.counter({ name: 'runs_total', help: 'Runs' }).add({}, 2)
  expect(await metrics.render()).toContain('parapet_runs_total 3')
})

test('gauges hold the last value, observed gauges are read when asked', async () => {
  const metrics = createMetrics()
  metrics.gauge({ name: 'pool', help: 'Pool', labels: { state: ['idle', 'busy'] } }).set({ state: 'idle' }, 4)
  let age = 1
  metrics.observed({ name: 'feed_age_seconds', help: 'Age' }, () => age)
  age = 7
  const text = await metrics.render()
  expect(text).toContain('parapet_pool{state="idle"} 4')
  expect(text).toContain('parapet_feed_age_seconds 7')
})

test('a gauge by state is read for every state when asked', async () => {
  const metrics = createMetrics()
  const states = { open: 0, closed: 2 }
  const input = { name: 'doors', help: 'Doors', label: 'state', values: ['open', 'closed'] as const }
  metrics.observedBy(input, () => states)
  states.open = 3
  const text = await metrics.render()
  expect(text).toContain('parapet_doors{state="open"} 3')
  expect(text).toContain('parapet_doors{state="closed"} 2')
})

test('a bound histogram counts where the others do', async () => {
  const metrics = createMetrics()
  const waits = metrics.histogram({ name: 'wait_seconds', help: 'Wait', labels: { kind: ['a'] }, buckets: [1] })
  const observe = waits.bind({ kind: 'a' })
  observe(0.5)
  waits.observe({ kind: 'a' }, 2)
  expect(await metrics.render()).toContain('parapet_wait_seconds_count{kind="a"} 2')
})

test('two registries do not share numbers', async () => {
  const first = createMetrics()
  first.counter({ name: 'x_total', help: 'X' }).add({})
  expect(await createMetrics().render()).not.toContain('parapet_x_total')
})
