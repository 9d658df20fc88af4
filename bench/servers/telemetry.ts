/**
 * Tells of one finished call with its fourteen steps, its attempt and its request: to nobody, to Prometheus, and to the
 * collector at BENCH_COLLECTOR in each form, in turns. Answers with the CPU microseconds a call took in each round.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { type Environment, loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import type { Kernel } from '../../apps/server/src/kernel/kernel.ts'
import { createLogger } from '../../apps/server/src/kernel/observe/log.ts'
import { createMetrics } from '../../apps/server/src/kernel/observe/metrics.ts'
import { serverSpan } from '../../apps/server/src/kernel/observe/otel/http-span.ts'
import { createTelemetry } from '../../apps/server/src/kernel/observe/otel/telemetry.ts'
import { traceAttempt } from '../../apps/server/src/modules/gateway/attempts/attempt-trace.ts'
import { plainAsked } from '../../apps/server/src/modules/gateway/call/asked.ts'
import { emptyCall } from '../../apps/server/src/modules/gateway/call/call.ts'
import { noTokens } from '../../apps/server/src/modules/gateway/call/events.ts'
import { beginCall } from '../../apps/server/src/modules/gateway/pipeline/begin.ts'
import type { CallState } from '../../apps/server/src/modules/gateway/pipeline/contract/call-parts.ts'
import { stepNames } from '../../apps/server/src/modules/gateway/pipeline/contract/step.ts'
import { defaultTimeouts } from '../../apps/server/src/modules/gateway/schemas/timeouts.ts'
import { createCallWatch } from '../../apps/server/src/modules/gateway/telemetry/watch.ts'
import { answerUsage } from '../usage.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const calls = Number(process.env.BENCH_CALLS ?? 4000)
const collector = process.env.BENCH_COLLECTOR ?? ''
const clock = systemClock()
const random = createRandom(clock.now)
const log = createLogger({ level: 'warn', now: clock.now })
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const caller = {
  actor: { userId: 'u', tenantId: 't' },
  info: { header: () => undefined, id: 'req_1', traceparent },
} as Parameters<typeof beginCall>[1]
const asked = { ...plainAsked, operation: 'chat', dialect: 'openai', stream: false, read: () => emptyCall } as const
const target = {
  provider: {
    ...{ id: 'p', name: 'mock', kind: 'openai', baseUrl: 'https://api.openai.com/v1', secrets: [], enabled: true },
    ...{ models: ['mock-1'], knownModels: [], timeouts: defaultTimeouts },
  },
  model: 'mock-1',
} as const

/** A call that has come to its end. */
function finishedCall(kernel: Kernel): CallState {
  const state = beginCall(kernel, caller, asked)
  stepNames.forEach((name, i) => {
    state.progress.steps.push({ n: i + 1, name, decision: 'allow', ms: 0.05 })
    state.timings.stepEnds.push(clock.monotonic())
  })
  const attempt = traceAttempt(kernel, state, target)
  attempt.endedMs = clock.monotonic()
  const usage = { ...noTokens, inputTokens: 120, outputTokens: 90, source: 'upstream' } as const
  state.write({
    attempts: { served: target },
    plan: { targets: [target] },
    progress: { status: 'completed' },
    answer: { usage },
    timings: { ttftMs: 1 },
  })
  return state
}

const forms: Readonly<Record<string, Environment | null>> = {
  'making the call up': null,
  prometheus: {},
  metrics: { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER: 'always_off' },
  protobuf: { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
  json: { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
}

/** Exporter of a call in one form. */
async function tellerOf(environment: Environment | null): Promise<() => void> {
  const pace = { OTEL_METRIC_EXPORT_INTERVAL: '1000' }
  const config = loadConfig(environment?.OTEL_EXPORTER_OTLP_ENDPOINT ? { ...environment, ...pace } : {})
  const telemetry = createTelemetry({ config, clock, log, node: 'bench', version: '0' })
  await telemetry?.start()
  const kernel = { config, clock, random, log, telemetry, metrics: createMetrics() } as unknown as Kernel
  const watch =
    environment === null ? null : createCallWatch(kernel, { breakers: () => ({ closed: 1, open: 0, half_open: 0 }) })
  const tracesRequests = telemetry !== null && config.otelSampler !== 'always_off'
  return () => {
    const state = finishedCall(kernel)
    watch?.began()
    watch?.ended(state)
    if (!tracesRequests) return
    const span = serverSpan({
      ...{ traceparent, parentSpanId: null, requestId: 'req_1', tenantId: 't', method: 'POST', scheme: 'http' },
      ...{ route: '/api/v1/gateway/chat/completions', status: 200, errorCode: null },
      ...{ startedAt: state.facts.startedAt, milliseconds: 2 },
    })
    if (span !== null) telemetry.record(span)
  }
}

/** Microseconds a call. Batches go out between slices, so that a full queue drops nothing unseen. */
async function cpuOf(tell: () => void): Promise<number> {
  const before = process.cpuUsage()
  for (let told = 0; told < calls; told += 1) {
    tell()
    if (told % 200 === 199) await pause(5)
  }
  // Items of this round are to be sent within it.
  await pause(1_200)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

const tellers = new Map<string, () => void>()
for (const [form, environment] of Object.entries(forms)) tellers.set(form, await tellerOf(environment))
const microseconds: Record<string, number[]> = {}
for (let round = -1; round < rounds; round += 1)
  for (const [form, tell] of tellers) {
    const spent = await cpuOf(tell)
    // The first round warms the compiler and is not counted.
    if (round >= 0) microseconds[form] = [...(microseconds[form] ?? []), spent]
  }
answerUsage({ microseconds })
