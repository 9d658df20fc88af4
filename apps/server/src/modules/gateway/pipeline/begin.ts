import { createVault } from '@parapet/detect'
import type { Actor } from '../../../kernel/auth/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/route.ts'
import type { ChatRequest } from '../call/chat-schema.ts'
import { compilePolicies } from '../policy/compile.ts'
import type { CallState } from './call-state.ts'

/** What stands in a state until the step that fills it has run. */
const nothing = { providers: [], policies: [], compiled: new Map() }
const unpoliced = compilePolicies([])
const noCall = {
  turns: [],
  tools: [],
  toolChoice: null,
  format: null,
  temperature: null,
  topP: null,
  seed: null,
  stop: [],
  choices: 1,
  maxTokens: null,
  metadata: {},
} as const

export function beginCall(
  kernel: Kernel,
  caller: { readonly actor: Actor; readonly info: RequestInfo },
  request: ChatRequest,
): CallState {
  const { actor, info } = caller
  return {
    facts: {
      id: kernel.random.uuid(),
      requestId: info.id,
      traceparent: info.traceparent,
      ip: info.ip,
      userAgent: info.userAgent,
      tenantId: actor.tenantId,
      actor,
      request,
      startedAt: kernel.clock.iso(),
      startedMs: kernel.clock.monotonic(),
    },
    abort: new AbortController(),
    cleanups: [],
    steps: [],
    violations: [],
    failOpen: [],
    attempts: [],
    patterns: new Set(),
    entities: new Map(),
    vault: createVault(),
    inspected: [],
    call: noCall,
    snapshot: nothing,
    targets: [],
    policy: unpoliced,
    injectionScore: 0,
    piiDetected: false,
    redacted: false,
    monitored: null,
    blockedAt: null,
    blockedStep: null,
    error: null,
    cache: 'off',
    cacheKey: null,
    served: null,
    answer: null,
    usage: null,
    upstreamMs: 0,
    ttftMs: null,
    released: false,
    promptSha256: null,
    intent: null,
    status: 'in_progress',
  }
}
