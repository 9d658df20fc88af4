/** The end of a call: its answer is looked at, labels and record are stored, then it leaves. Tested in proxy.test.ts. */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import { inPlace } from '../../../../kernel/threads/thread-task.ts'
import type { ToolCall } from '../call/guards.ts'
import { refusals, refused } from '../call/refusals.ts'
import type { Asked } from '../call/types.ts'
import { labelsRead, union } from '../flow/labels.ts'
import { addLabels } from '../flow/store.ts'
import { type Inspected, inspectTask } from '../inspect/inspect.ts'
import { textsIn } from '../inspect/texts.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'
import { type Ending, note } from './note.ts'
import type { ProxyServices } from './services.ts'

/** A call on its way, as far as its record needs it. */
export interface Progress {
  readonly asked: Asked
  /** Null for messages that call no tool. */
  readonly call: ToolCall | null
  readonly argsSha256: string | null
  readonly hits: Members[]
  /** Found in notifications of the call. */
  readonly detections: Set<string>
  /** Milliseconds by stage. */
  readonly latency: Record<string, number>
  readonly changed: boolean
}

/** Text below which looking is quicker than the journey to a thread, in characters. */
const smallText = 4_096

export function inspect({ kernel }: Pick<ProxyServices, 'kernel'>, text: string): Inspected | Promise<Inspected> {
  return text.length <= smallText ? inspectTask.run(text, inPlace) : kernel.threads.run(inspectTask, text)
}

/** The answer as it leaves, recorded. */
export async function finish(services: ProxyServices, progress: Progress, answer: Members): Promise<Members> {
  const { kernel } = services
  const { asked, call, detections, latency } = progress
  const startedMs = kernel.clock.monotonic()
  const { text, binary, truncated } = textsIn(answer)
  for (const found of (await inspect(services, text)).detections) detections.add(found)
  for (const type of binary) detections.add(`uninspected:${type}`)
  if (truncated) detections.add('uninspected:rest')
  const misfit = outputOf(services, call, answer)
  if (misfit !== null) detections.add(misfit)
  const judged = await judge(services, progress, answer)
  const after = await learn(services, progress)
  latency.inspect = rounded(kernel.clock.monotonic() - startedMs)
  const result = objectOf(judged.message.result)
  const isError = judged.message.error !== undefined
  const stored = await record(services, progress, {
    ...outcomeOf({ isError, isToolError: result.isError === true, judged }),
    result: isError ? objectOf(judged.message.error) : result,
    ...(call === null ? {} : { labelsBefore: call.labels }),
    labelsAfter: after,
    bytesOut: Buffer.byteLength(exactJson(judged.message)),
  })
  return stored ? judged.message : { ...refused(asked.id, refusals.unrecorded, false) }
}

/** A result that violates the approved schema is reported; clients refuse it by themselves. */
function outputOf({ output }: ProxyServices, call: ToolCall | null, answer: Members): string | null {
  const definition = call?.tool.definition ?? null
  if (call === null || definition === null || answer.result === undefined) return null
  return output(call.tool.pin, definition, objectOf(answer.result))
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000

interface JudgedResult {
  readonly message: Members
  readonly blocked: boolean
  readonly redacted: boolean
}

async function judge(services: ProxyServices, { asked, call, hits }: Progress, answer: Members): Promise<JudgedResult> {
  if (call === null || answer.result === undefined || !services.guards.judgesResults(asked))
    return { message: answer, blocked: false, redacted: false }
  const judged = await services.guards.judgeResult(call, objectOf(answer.result))
  hits.push(...judged.hits)
  if (judged.result === null)
    return { message: { ...refused(asked.id, refusals.blocked, true) }, blocked: true, redacted: false }
  return { message: { ...answer, result: judged.result }, blocked: false, redacted: judged.result !== answer.result }
}

interface Seen {
  readonly isError: boolean
  readonly isToolError: boolean
  readonly judged: JudgedResult
}

function outcomeOf({ isError, isToolError, judged }: Seen): Pick<Ending, 'decision' | 'outcome' | 'errorCode'> {
  if (judged.blocked) return { decision: 'denied', outcome: 'denied', errorCode: refusals.blocked.errorCode }
  const decision = judged.redacted ? 'redacted' : 'allowed'
  if (isError) return { decision, outcome: 'protocol_error' }
  return { decision, outcome: isToolError ? 'tool_error' : 'succeeded' }
}

/** Stores the labels that the answer adds, before anybody reads it. Gives those in force after it. */
async function learn({ kernel }: ProxyServices, { asked, call, detections }: Progress): Promise<ReadonlySet<string>> {
  const { caller, keys } = asked
  const { slug, trust } = caller.server.row
  const before = call?.labels ?? new Set<string>()
  const source = {
    server: slug,
    tool: call?.tool.name ?? asked.method,
    labels: call?.tool.labels ?? new Set<never>(),
    trust,
  }
  const strangers = call === null && trust === 'untrusted' && readsContent.has(asked.method) ? ['untrusted'] : []
  const added = [...labelsRead({ tool: source, detections }), ...strangers].filter((label) => !before.has(label))
  if (added.length === 0) return before
  const place = { tenantId: caller.tenantId, agentId: caller.agent.id, key: keys.labels }
  await addLabels(kernel, place, added)
  return union(before, added)
}

const readsContent: ReadonlySet<string> = new Set(['resources/read', 'prompts/get'])

/** False where the record could not be stored: the answer must not leave then. */
export async function record(services: ProxyServices, progress: Progress, ending: Ending): Promise<boolean> {
  const { asked, call, argsSha256, hits, detections, latency, changed } = progress
  const decision = changed && ending.decision === 'allowed' ? 'redacted' : ending.decision
  try {
    await note(services, asked, {
      ...{ tool: call?.tool.name ?? null, pin: call?.tool.pin ?? null, argsSha256, hits, latency },
      detections: [...detections],
      ...(call === null ? {} : { labelsBefore: call.labels }),
      ...ending,
      decision,
    })
    return true
  } catch (error) {
    services.kernel.log.error(
      { err: error, request_id: asked.caller.request.id },
      'a call to an MCP server could not be recorded',
    )
    return false
  }
}
