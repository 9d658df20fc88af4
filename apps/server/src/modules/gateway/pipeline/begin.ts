import { createVault } from '@parapet/detect'
import type { Actor } from '../../../kernel/auth/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/route.ts'
import { emptyCall } from '../call/call.ts'
import type { ChatRequest } from '../call/chat-schema.ts'
import { compilePolicies } from '../policy/compile.ts'
import type { CallState } from './call-state.ts'

/** What stands in a state until the step that fills it has run. */
const nothing = { providers: [], policies: [], compiled: new Map() }
const unpoliced = compilePolicies([])

interface Caller {
  readonly actor: Actor
  readonly info: RequestInfo
}

export function beginCall(kernel: Kernel, caller: Caller, request: ChatRequest): CallState {
  return {
    ...untouched(),
    facts: factsOf(kernel, caller, request),
    call: emptyCall,
    snapshot: nothing,
    targets: [],
    policy: unpoliced,
    cache: 'off',
    status: 'in_progress',
  }
}

function factsOf({ clock, random }: Kernel, { actor, info }: Caller, request: ChatRequest): CallState['facts'] {
  return {
    id: random.uuid(),
    requestId: info.id,
    traceparent: info.traceparent,
    ip: info.ip,
    userAgent: info.userAgent,
    tenantId: actor.tenantId,
    actor,
    request,
    startedAt: clock.iso(),
    startedMs: clock.monotonic(),
  }
}

type Filled = 'facts' | 'call' | 'snapshot' | 'targets' | 'policy' | 'cache' | 'status'

function untouched(): Omit<CallState, Filled> {
  return {
    abort: new AbortController(),
    cleanups: [],
    steps: [],
    violations: [],
    failOpen: [],
    attempts: [],
    patterns: new Set(),
    entities: new Map(),
    keepable: null,
    vault: createVault(),
    inspected: [],
    injectionScore: 0,
    explanation: null,
    piiDetected: false,
    redacted: false,
    monitored: null,
    blockedAt: null,
    blockedStep: null,
    error: null,
    cacheKey: null,
    served: null,
    answer: null,
    usage: null,
    upstreamMs: 0,
    ttftMs: null,
    released: false,
    promptSha256: null,
    intent: null,
  }
}
