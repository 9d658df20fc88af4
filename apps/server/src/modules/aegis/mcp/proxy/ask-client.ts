/** Asks a client with sessions, on the stream of its call, and waits for its answers. Tested in sdk-matrix.test.ts. */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { type Question, takes, toLegacyQuestion } from '../bridge/translate.ts'
import type { Asked } from '../call/types.ts'
import { textsIn } from '../inspect/texts.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import type { Members } from '../wire/json-rpc.ts'
import { inspect } from './finish.ts'
import type { ProxyServices } from './services.ts'

export interface Asking {
  readonly asked: Asked
  readonly signal: AbortWatch
  readonly detections: Set<string>
}

/** The client's answers by the names of the questions. @throws UpstreamFault where one is not to be had */
export async function* askClient(
  services: ProxyServices,
  { asked, signal, detections }: Asking,
  questions: ReadonlyMap<string, Question>,
): AsyncGenerator<Members, ReadonlyMap<string, Members>, undefined> {
  const { session, caller } = asked
  const capabilities = session?.capabilities ?? {}
  const { random } = services.kernel
  const answers = new Map<string, Promise<Members | null>>()
  for (const [name, question] of questions) {
    if (session === null || !takes(capabilities, question))
      throw new UpstreamFault('question', 'The client does not take questions of this kind.')
    const id = `${caller.request.id}:${random.hex(8)}`
    answers.set(name, services.answers.wait(questionName(session.id, id), signal))
    const message = { jsonrpc: '2.0', id, ...toLegacyQuestion(question, random.uuid()) }
    const { detections: found } = await inspect(services, textsIn(message).text)
    for (const each of found) detections.add(each)
    yield message
  }
  const given = new Map<string, Members>()
  for (const [name, waiting] of answers) {
    const answer = await waiting
    if (answer === null)
      throw new UpstreamFault(signal.aborted ? 'aborted' : 'question', 'The client gave no answer in time.')
    given.set(name, answer)
  }
  return given
}

/** The id of a session is given out once, and that of a question is ours. */
export const questionName = (sessionId: string, id: string): string => `${sessionId} ${id}`
