/**
 * Sends a request upstream and passes on the answer, message by message. Promises that the upstream is told when the
 * caller leaves or a kill switch ends the call, and that every end is recorded once. Tested in proxy.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Outcome } from '../../activity/record/words.ts'
import type { Line, Reply } from '../bridge/line.ts'
import { keyOf } from '../bridge/state.ts'
import {
  asksBack,
  type InputRequired,
  inputRequired,
  isQuestion,
  takes,
  toModernQuestion,
} from '../bridge/translate.ts'
import { type Refusal, refusals, refused } from '../call/refusals.ts'
import { textsIn } from '../inspect/texts.ts'
import { createWindow } from '../inspect/window.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { isAnswerTo, type Members, objectOf, type RpcId } from '../wire/json-rpc.ts'
import { askClient } from './ask-client.ts'
import { finish, inspect, type Progress, record } from './finish.ts'
import { noteListChange } from './list-change.ts'
import type { Outgoing } from './outgoing.ts'
import { onlyPinned } from './pinned-lists.ts'
import type { Messages } from './respond.ts'
import type { Running } from './running.ts'
import type { ProxyServices } from './services.ts'

export interface Relaying {
  readonly progress: Progress
  readonly outgoing: Outgoing
  readonly running: Running
  /** Answers of the client to questions of the upstream, for a call that waited for them. */
  readonly replies?: readonly Reply[]
}

/** Rounds of questions in one call, as clients bound them too. */
const mostRounds = 10
/** Between two rounds in which a server asks for nothing but to be asked again, in milliseconds. */
const pacingMs = 250

/** The messages of the answer; the last one is the answer itself. */
export async function* relay(services: ProxyServices, relaying: Relaying): Messages {
  const startedMs = services.kernel.clock.monotonic()
  let round = relaying
  for (let n = 1; ; n += 1) {
    const wanted = yield* exchange(services, round, { startedMs, isLast: n === mostRounds })
    if (wanted === null) return
    round = { ...round, outgoing: wanted }
  }
}

interface Round {
  readonly startedMs: number
  readonly isLast: boolean
}

type Exchange = AsyncGenerator<Members, Outgoing | null, undefined>

/** Null after the answer; a request with the client's answers where the upstream asked in its result. */
async function* exchange(services: ProxyServices, relaying: Relaying, { startedMs, isLast }: Round): Exchange {
  const { progress, outgoing, running } = relaying
  const { asked, latency } = progress
  let line: Line | null = null
  let isRecorded = false
  let isKept = false
  let leave = (): void => undefined
  try {
    line = await outgoing.open(running.signal)
    leave = line.attend(running.signal)
    if (relaying.replies !== undefined) await line.reply(relaying.replies)
    if (line.status === 404 && outgoing.isSession)
      throw new UpstreamFault('session', 'The MCP server has ended the session.')
    for await (const message of passed(services, relaying, line)) {
      if (isParked(message, relaying)) {
        ;[isRecorded, isKept] = [true, true]
        yield await park(services, relaying, { line, message })
        return null
      }
      if (!isAnswerTo(message, outgoing.id)) {
        yield message
        continue
      }
      const wanted = outgoing.isBridged && asked.facts.era === 'legacy' ? inputRequired(message) : null
      if (wanted !== null && !isLast) {
        line.close()
        const next = yield* askedAgain(services, relaying, wanted)
        isRecorded = true
        return next
      }
      if (wanted !== null) throw new UpstreamFault('question', 'The MCP server asks without end.')
      latency.upstream = Math.round((services.kernel.clock.monotonic() - startedMs) * 1_000) / 1_000
      isRecorded = true
      yield await finish(services, progress, { ...outgoing.adapt(onlyPinned(asked, message)), id: asked.id })
      return null
    }
    throw new UpstreamFault('status', `The MCP server gave no answer (${line.status}).`)
  } catch (error) {
    if (isRecorded || !(error instanceof UpstreamFault)) throw error
    isRecorded = true
    yield* failed(services, relaying, error)
    return null
  } finally {
    leave()
    if (!isKept) line?.close()
    if (!isRecorded) await record(services, progress, { decision: 'allowed', outcome: 'cancelled' })
    if (!isKept && (!isRecorded || running.signal.aborted)) outgoing.abandon()
  }
}

/** A question of an older server to a client without sessions, which answers by asking again. */
const isParked = (message: Members, { progress, outgoing }: Relaying): boolean =>
  outgoing.isBridged && progress.asked.facts.era === 'modern' && isQuestion(message)

interface Parking {
  readonly line: Line
  readonly message: Members
}

function park(services: ProxyServices, { progress }: Relaying, { line, message }: Parking): Promise<Members> {
  const { asked, call, argsSha256 } = progress
  const tool = call?.tool.name ?? null
  const state = services.parking.hold({ asked, tool, line, questions: [message], argsSha256 })
  const questions = new Map([[keyOf(message.id), toModernQuestion(message)]])
  return finish(services, progress, asksBack(asked.id, { questions, state }))
}

async function* askedAgain(services: ProxyServices, relaying: Relaying, { questions, state }: InputRequired) {
  const { progress, running, outgoing } = relaying
  const { asked, detections } = progress
  if (questions.size === 0) await pause(services, running)
  const given = yield* askClient(services, { asked, signal: running.signal, detections }, questions)
  const responses = [...given].map(([name, { result }]) => {
    if (result === undefined) throw new UpstreamFault('question', 'The client answered with an error.')
    return [name, objectOf(result)] as const
  })
  return outgoing.again(Object.fromEntries(responses), state)
}

function pause({ kernel }: ProxyServices, { signal }: Running): Promise<void> {
  return new Promise((resolve) => {
    const timer = kernel.clock.after(pacingMs, resolve)
    signal.addEventListener(
      'abort',
      () => {
        timer.stop()
        resolve()
      },
      { once: true },
    )
  })
}

/** Everything that comes before the answer is looked at too, and passed on; questions are answered in between. */
async function* passed(services: ProxyServices, relaying: Relaying, line: Line): Messages {
  const { progress, outgoing } = relaying
  const window = createWindow()
  for (let message = await line.next(); message !== null; message = await line.next()) {
    if (isAnswerTo(message, outgoing.id)) return yield message
    const isLoose = message.error !== undefined && (message.id === undefined || message.id === null)
    // A transport's own refusal carries no id.
    if (isLoose) return yield { ...message, id: outgoing.id }
    if (outgoing.isBridged && isQuestion(message)) {
      yield* answered(services, relaying, { line, message })
      continue
    }
    const { text } = textsIn(message)
    if (text !== '')
      for (const found of (await inspect(services, window.next(text))).detections) progress.detections.add(found)
    noteListChange(services, progress.asked.caller, message)
    yield message
  }
}

/** A question of an older server over the bridge: to the client where it takes such questions, else refused. */
async function* answered(
  services: ProxyServices,
  { progress, running }: Relaying,
  { line, message }: Parking,
): Messages {
  const { asked, detections } = progress
  const question = toModernQuestion(message)
  const id = message.id as RpcId
  const capabilities = asked.facts.era === 'modern' ? asked.facts.capabilities : (asked.session?.capabilities ?? {})
  if (!takes(capabilities, question)) return line.reply([{ id, content: { error: notTaken } }])
  if (asked.facts.era === 'modern') return yield message
  const name = keyOf(id)
  const given = yield* askClient(services, { asked, signal: running.signal, detections }, new Map([[name, question]]))
  const { result, error } = given.get(name) ?? {}
  await line.reply([{ id, content: error === undefined ? { result } : { error } }])
}

const notTaken = { code: -32_601, message: 'The client does not take questions of this kind.' }

async function* failed(
  services: ProxyServices,
  { progress, outgoing, running }: Relaying,
  fault: UpstreamFault,
): Messages {
  const { asked } = progress
  const [refusal, outcome] = endOf(fault, running)
  await record(services, progress, {
    decision: outcome === 'denied' ? 'denied' : 'allowed',
    ...{ outcome, errorCode: refusal?.errorCode ?? null },
  })
  if (fault.kind === 'session') outgoing.sessionEnded()
  // 404 tells a client with sessions to open another one.
  if (fault.kind === 'session' && asked.session?.era === 'legacy')
    throw apiErrors.notFound({ what: 'MCP session' }).withMembers({ rpc_id: asked.id })
  if (refusal !== null) yield { ...refused(asked.id, refusal, false) }
}

/** Null for a caller who is gone. */
function endOf(fault: UpstreamFault, running: Running): readonly [Refusal | null, Outcome] {
  if (running.wasKilled()) return [refusals.killed, 'denied']
  if (fault.kind === 'aborted') return [null, 'cancelled']
  if (fault.kind === 'timeout') return [refusals.timeout, 'timeout']
  if (fault.kind === 'question') return [refusals.noInput, 'protocol_error']
  if (fault.kind === 'over') return [refusals.over, 'protocol_error']
  if (fault.kind === 'too_large' || fault.kind === 'unreadable') return [refusals.inspection, 'protocol_error']
  return [refusals.upstream, 'protocol_error']
}
