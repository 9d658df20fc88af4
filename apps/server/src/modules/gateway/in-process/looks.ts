/**
 * Gateway information for other modules without a model call. The same steps inspect as in a call; nothing is asked,
 * charged or logged, and resources held by a step are released. Tested in functions.test.ts.
 */

import { type Asked, plainAsked } from '../call/asked.ts'
import { emptyCall, type Turn } from '../call/call.ts'
import { askedOfChat } from '../dialects/parapet/read.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { runSteps } from '../pipeline/run.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { anyRoute, callerPolicies } from '../policy/callers.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import { decisionOf, securityOf } from '../records/row.ts'
import type { ChatRequest } from '../schemas/chat-schema.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { countInput } from '../tokens/bounds.ts'
import type { Asker, ScannedText, TextScan, TokenCount } from './gateway-api.ts'

/** @throws ProblemError of steps 1 to 3 */
export async function countTokens(
  services: GatewayServices,
  asker: Asker,
  request: Omit<ChatRequest, 'stream'>,
): Promise<readonly TokenCount[]> {
  return countAsked(services, asker, askedOfChat(request))
}

/** The same for a call in any dialect. @throws ProblemError of steps 1 to 3 */
export async function countAsked(
  services: GatewayServices,
  asker: Asker,
  asked: Asked,
): Promise<readonly TokenCount[]> {
  const state = stateOf(services, asker, asked)
  await run(services, state, (n) => n <= 3)
  if (state.progress.error !== null) throw state.progress.error
  const exact = await services.parts.tokenCounts.of(state)
  const { about } = countInput(state.plan.call)
  return state.plan.targets.map((target) => {
    const tokens = exact?.(target) ?? null
    const of = { provider: target.provider.name, model: target.model }
    return tokens === null ? { ...of, tokens: about, source: 'estimated' } : { ...of, tokens, source: 'counted' }
  })
}

/** @throws GW-002 */
export async function scanText(services: GatewayServices, asker: Asker, scan: TextScan): Promise<ScannedText> {
  const { text, role = 'user', metadata = {} } = scan
  const turn: Turn = {
    ...{ role, parts: [{ type: 'text', text }], toolCalls: [], name: null, at: place },
    toolCallId: role === 'tool' ? '' : null,
  }
  const call = { ...emptyCall, turns: [turn], metadata }
  const policy = scan.policy_id ?? null
  const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', policy, metadata, read: () => call } as const
  const state = stateOf(services, asker, asked)
  const snapshot = await services.snapshots.get(state.facts.tenantId)
  // The destination of the text is unknown, so the policies of every route count.
  const principal = { ...asker.actor, routeId: anyRoute }
  const compiled = withoutDestination(callerPolicies(snapshot, principal, policy, asked))
  state.write({ plan: { call, snapshot, policy: compiled } })
  await run(services, state, (n) => n >= 5 && n <= 8)
  return scanned(state)
}

const place = '/text'

/** The text is not sent yet: `providerClearance` says whether it may be. */
function withoutDestination(policy: CompiledPolicy): CompiledPolicy {
  const { providers } = policy.effective
  return { ...policy, effective: { ...policy.effective, providers: { ...providers, max_classification: null } } }
}

function scanned(state: WithPlan & WithFindings & WithProgress): ScannedText {
  const isBlocked = state.progress.error !== null
  const turn = state.plan.call.turns.find(({ at }) => at === place)
  const said = turn?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') ?? ''
  return {
    decision: decisionOf(state, isBlocked ? 'blocked' : 'completed'),
    error_code: state.progress.error?.code ?? null,
    text: isBlocked ? null : said,
    security: securityOf(state),
    entities: Object.fromEntries(state.findings.entities),
  }
}

function stateOf({ kernel }: GatewayServices, { actor, request: info }: Asker, asked: Asked): CallState {
  return beginCall(kernel, { actor, info }, asked)
}

async function run(
  { kernel, pipeline }: GatewayServices,
  state: CallState,
  isWanted: (n: number) => boolean,
): Promise<void> {
  try {
    await runSteps(
      kernel,
      pipeline.answering.filter(({ n }) => isWanted(n)),
      state,
    )
  } finally {
    for (const cleanup of state.life.cleanups.splice(0).reverse()) cleanup()
  }
}
