/**
 * A call of a tool. Its stages: the pin, kill switches, the rate, labels and flow rules, guardrails, a person where one of
 * them wants it, the upstream, the result. Promises that no stage is skipped and that a call which one of them stops never
 * reaches the server. Tested in proxy.test.ts.
 */
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { allows } from '../../agents/declaration.ts'
import type { Resumed } from '../bridge/parking.ts'
import type { HoldTerms, Judgement, ToolCall } from '../call/guards.ts'
import { type Refusal, refusals, refused } from '../call/refusals.ts'
import { subjectOf } from '../call/subject.ts'
import type { Asked, PinnedTool } from '../call/types.ts'
import { type FlowVerdict, isGuarded, judgeFlow } from '../flow/labels.ts'
import { readLabels } from '../flow/store.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, objectOf, rpcCodes, textOf } from '../wire/json-rpc.ts'
import { decoded, parameterHeaders } from '../wire/metadata.ts'
import { approved, isOwnState } from './approval.ts'
import { badMessage } from './enter.ts'
import type { Progress } from './finish.ts'
import { type Ending, note } from './note.ts'
import { outgoingOf, resumedOutgoing } from './outgoing.ts'
import { relay } from './relay.ts'
import type { Messages } from './respond.ts'
import type { ProxyServices } from './services.ts'

export async function* callTool(services: ProxyServices, asked: Asked): Messages {
  const { caller } = asked
  const args = objectOf(asked.params.arguments)
  const name = textOf(asked.params.name) ?? ''
  const tool = caller.server.tools.get(name)
  if (!isUsable(asked, tool)) return yield* stop(services, asked, { refusal: refusals.notApproved, tool: name })
  if (services.kill.isStopped(subjectOf(caller, name)))
    return yield* stop(services, asked, { refusal: refusals.killed, tool: name })
  checkParameters(asked, tool)
  const resumed = services.parking.find(asked)
  if (resumed === 'over') return yield* stop(services, asked, { refusal: refusals.over, tool: name })
  if (resumed !== null)
    return yield* goOn(services, { asked, tool, args, labels: await labelsFor(services, asked, tool) }, resumed)
  if (await isTooOften(services, asked))
    return yield* stop(services, asked, { refusal: refusals.rateLimited, tool: name })
  const startedMs = services.kernel.clock.monotonic()
  const call: ToolCall = { asked, tool, args, labels: await labelsFor(services, asked, tool) }
  const judged = await judge(services, call)
  const policy = Math.round((services.kernel.clock.monotonic() - startedMs) * 1_000) / 1_000
  if ('refusal' in judged) return yield* stop(services, asked, { ...judged, tool: name, call, latency: { policy } })
  const used: ToolCall = { ...call, args: judged.args }
  if (judged.hold !== null) {
    const held = yield* approved(services, used, judged.hold)
    if (held !== 'approved')
      return yield* stop(services, asked, {
        ...held,
        hits: judged.hits,
        tool: name,
        call: used,
        latency: { policy },
        isHeld: true,
      })
  }
  yield* carryOut(services, used, { judged, latency: { policy } })
}

export function isUsable({ caller }: Asked, tool: PinnedTool | undefined): tool is PinnedTool {
  return (
    tool?.status === 'approved' &&
    allows(caller.agent, { kind: 'tool', name: `${caller.server.row.slug}/${tool.name}` })
  )
}

/** Arguments that stand in headers too say the same there. @throws API-001 as -32020 */
function checkParameters({ facts, params, caller, id }: Asked, tool: PinnedTool): void {
  if (facts.era !== 'modern') return
  const wanted = parameterHeaders(tool.definition?.inputSchema, objectOf(params.arguments))
  for (const [name, value] of Object.entries(wanted)) {
    const sent = caller.request.header(name)
    if (sent === undefined || decoded(sent) !== decoded(value))
      throw badMessage(`${name} is missing or is not the argument of the body`, { code: rpcCodes.headerMismatch, id })
  }
}

const minuteMs = 60_000

async function isTooOften({ kernel }: ProxyServices, { caller }: Asked): Promise<boolean> {
  const { rate_limit: limit, id } = caller.server.row
  if (limit === null) return false
  const { allowed } = await kernel.limits.take(`{${caller.tenantId}}:mcp:${id}:${caller.agent.id}`, {
    limit,
    windowMs: minuteMs,
  })
  return !allowed
}

/** Read where the labels decide: a tool that neither sends nor runs anything costs no statement as long as nothing is restricted. */
function labelsFor(
  { kernel, guards }: ProxyServices,
  asked: Asked,
  { labels }: PinnedTool,
): Promise<ReadonlySet<string>> | ReadonlySet<string> {
  const { caller, keys } = asked
  const { trust } = caller.server.row
  if (!isGuarded({ labels, trust }, caller.hasRestricted) && !guards.judgesCalls(asked)) return new Set()
  return readLabels(kernel, { tenantId: caller.tenantId, agentId: caller.agent.id, key: keys.labels })
}

interface Passed {
  readonly args: Members
  readonly hold: HoldTerms | null
  readonly changed: boolean
  readonly hits: readonly Members[]
}

interface Stopped {
  readonly refusal: Refusal
  readonly hits: readonly Members[]
}

/** Of the built-in flow rules, which no guardrail loosens. */
const flowTerms: HoldTerms = { guardrails: [], approverRoles: [], minApprovers: 1, timeoutSeconds: 900 }

async function judge(services: ProxyServices, call: ToolCall): Promise<Passed | Stopped> {
  const { asked, tool, labels } = call
  const { slug, trust, default_action: otherwise } = asked.caller.server.row
  const flow = judgeFlow(labels, { server: slug, tool: tool.name, labels: tool.labels, trust })
  const flowHits = flow === null ? [] : [hitOf(flow)]
  if (flow?.action === 'deny') return { refusal: refusals.flow, hits: flowHits }
  const judged = await judgeSafely(services, call)
  const hits = [...flowHits, ...(judged?.hits ?? [])]
  if (judged === null || judged.decision === 'deny') return { refusal: refusals.blocked, hits }
  if (judged.decision === 'killed') return { refusal: refusals.sessionKilled, hits }
  if (judged.decision === 'none' && otherwise === 'deny') return { refusal: refusals.noRule, hits }
  return { args: judged.args, hold: judged.hold ?? (flow === null ? null : flowTerms), changed: judged.changed, hits }
}

async function judgeSafely({ kernel, guards }: ProxyServices, call: ToolCall): Promise<Judgement | null> {
  try {
    return await guards.judge(call)
  } catch (error) {
    kernel.log.error(
      { err: error, request_id: call.asked.caller.request.id },
      'the guardrails of a tenant could not be asked',
    )
    return null
  }
}

const hitOf = ({ action, rule }: FlowVerdict): Members => ({ rule: `flow:${rule}`, action, enforced: true })

interface Stopping {
  readonly refusal: Refusal
  readonly tool: string
  readonly call?: ToolCall
  readonly hits?: readonly Members[]
  readonly latency?: Readonly<Record<string, number>>
  readonly isHeld?: boolean
}

/** A refused call is on record before it is answered. */
async function* stop(
  services: ProxyServices,
  asked: Asked,
  { refusal, call, hits = [], tool, latency = {}, isHeld = false }: Stopping,
): Messages {
  const known = asked.caller.server.tools.has(tool)
  const ending: Ending = {
    ...{ decision: isHeld ? 'held' : 'denied', outcome: 'denied', errorCode: refusal.errorCode, hits, latency },
    tool: known ? tool : null,
    argsSha256: canonicalHash(call?.args ?? objectOf(asked.params.arguments)),
    ...(call === undefined ? {} : { pin: call.tool.pin, labelsBefore: call.labels }),
  }
  await note(services, asked, ending)
  yield { ...refused(asked.id, refusal, true) }
}

/** A call that was let through before its server asked something, with the client's answers. */
async function* goOn(services: ProxyServices, call: ToolCall, { line, replies, argsSha256 }: Resumed): Messages {
  const { asked, tool } = call
  const running = services.running.begin(asked, tool.name)
  const progress: Progress = { asked, call, argsSha256, hits: [], detections: new Set(), latency: {}, changed: false }
  try {
    yield* relay(services, { progress, outgoing: resumedOutgoing(line), running, replies })
  } finally {
    running.end()
  }
}

interface Carrying {
  readonly judged: Passed
  readonly latency: Record<string, number>
}

async function* carryOut(services: ProxyServices, call: ToolCall, { judged, latency }: Carrying): Messages {
  const { asked, tool, args } = call
  const { requestState: state, ...plain } = asked.params
  const kept = state === undefined || isOwnState(state) ? {} : { requestState: state }
  const params = { ...plain, ...kept, arguments: args }
  const running = services.running.begin(asked, tool.name)
  const hits = [...judged.hits]
  const progress: Progress = {
    asked,
    call,
    argsSha256: canonicalHash(args),
    hits,
    detections: new Set(),
    latency,
    changed: judged.changed,
  }
  try {
    const outgoing = await outgoingOf(services, { asked, params, schema: tool.definition?.inputSchema })
    yield* relay(services, { progress, outgoing, running })
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    await note(services, asked, {
      decision: 'allowed',
      outcome: 'protocol_error',
      errorCode: refusals.upstream.errorCode,
      tool: tool.name,
    })
    yield { ...refused(asked.id, refusals.upstream, false) }
  } finally {
    running.end()
  }
}
