import { createVault } from '@parapet/detect'
import type { Actor } from '../../../kernel/access/actor.ts'
import { Aborter } from '../../../kernel/base/abort.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { Asked } from '../call/asked.ts'
import { emptyCall } from '../call/call.ts'
import { compilePolicies } from '../policy/compile.ts'
import type { CallState } from './call-state.ts'

/** What stands in a state until the step that fills it has run. */
const nothing = { providers: [], policies: [], compiled: new Map() }
const unpoliced = compilePolicies([])

interface Caller {
  readonly actor: Actor
  readonly info: RequestInfo
}

type Parts = Pick<Kernel, 'clock' | 'random'>

export function beginCall(kernel: Parts, caller: Caller, asked: Asked): CallState {
  return Object.assign(untouched(), {
    facts: factsOf(kernel, caller, asked),
    call: emptyCall,
    snapshot: nothing,
    targets: [],
    policy: unpoliced,
    cache: 'off' as const,
    status: 'in_progress' as const,
  })
}

function factsOf({ clock, random }: Parts, { actor, info }: Caller, asked: Asked): CallState['facts'] {
  return {
    id: random.uuid(),
    requestId: info.id,
    traceparent: info.traceparent,
    ip: info.ip,
    userAgent: info.userAgent,
    tenantId: actor.tenantId,
    actor,
    asked: { ...asked, agentId: actor.agentId ?? null },
    startedAt: clock.iso(),
    startedMs: clock.monotonic(),
  }
}

type Filled = 'facts' | 'call' | 'snapshot' | 'targets' | 'policy' | 'cache' | 'status'

function untouched(): Omit<CallState, Filled> {
  return {
    abort: new Aborter(),
    cleanups: [],
    steps: [],
    settled: 0,
    stepEnds: [],
    violations: [],
    found: new Map(),
    failOpen: [],
    attempts: [],
    questions: new Set(),
    asks: [],
    patterns: new Set(),
    entities: new Map(),
    keepable: null,
    lookedAt: null,
    route: null,
    prices: null,
    holds: [],
    vectorTokens: 0,
    vault: createVault(),
    inspected: [],
    injectionScore: 0,
    opinions: [],
    explanation: null,
    piiDetected: false,
    left: new Set(),
    redacted: false,
    monitored: null,
    withheldUnseen: false,
    blockedAt: null,
    blockedStep: null,
    error: null,
    fill: null,
    remarks: new Map(),
    untold: new Set(),
    told: null,
    savedMs: null,
    embedded: null,
    awaited: null,
    served: null,
    restoredChanged: 0,
    lowered: [],
    leftOut: [],
    dropped: [],
    answer: null,
    usage: null,
    answeredModel: null,
    receivedBytes: 0,
    upstreamMs: 0,
    queueMs: 0,
    ttftMs: null,
    released: false,
    promptSha256: null,
    intent: null,
  }
}
