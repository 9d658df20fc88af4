/**
 * The stream of a session on which an older server speaks apart from its answers. Some ask there although a call waits: a
 * question is given to the only call under way, and refused where two are. Tested in sdk-matrix.test.ts.
 */
import { Aborter } from '../../../../kernel/base/abort.ts'
import type { Clock } from '../../../../kernel/base/clock.ts'
import { type Conversation, conversationHeaders } from '../upstream/ask.ts'
import { send, type UpstreamAnswer, type UpstreamLink } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import type { UpstreamServer } from '../upstream/server.ts'
import type { Members } from '../wire/json-rpc.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { isQuestion } from './translate.ts'

export interface Apart {
  /** A call begins; questions reach its inbox until it leaves. */
  join(): { readonly inbox: Inbox; readonly leave: () => void }
  close(): void
}

/** Time in which a server begins the stream; one that says nothing until its first message has it later. */
const openingMs = 2_000
const streamMs = 24 * 3_600_000

export interface Listening {
  readonly link: UpstreamLink
  readonly clock: Pick<Clock, 'after'>
  readonly upstream: UpstreamServer
  readonly conversation: Conversation
}

/** Begins to listen, and resolves when the server has begun to speak or has no such stream. */
export async function listenApart(listening: Listening): Promise<Apart> {
  const { link, clock, upstream, conversation } = listening
  const inboxes = new Set<Inbox>()
  const aborter = new Aborter()
  const headers = conversationHeaders(conversation, {})
  const opening = send(link, upstream, { method: 'GET', message: null, headers, signal: aborter, totalMs: streamMs })
  const heard = opening.then((answer) => hear(listening, answer, inboxes))
  heard.catch(() => undefined)
  await settled(clock, opening)
  return {
    join: () => {
      const inbox = createInbox()
      inboxes.add(inbox)
      return { inbox, leave: () => void inboxes.delete(inbox) }
    },
    close: () => aborter.abort(),
  }
}

function settled(clock: Pick<Clock, 'after'>, opening: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(openingMs, resolve)
    const done = (): void => {
      timer.stop()
      resolve()
    }
    opening.then(done, done)
  })
}

async function hear(listening: Listening, answer: UpstreamAnswer, inboxes: ReadonlySet<Inbox>): Promise<void> {
  if (answer.form !== 'stream') return answer.cancel()
  for await (const message of answer.messages) {
    if (!isQuestion(message)) continue
    const [only, ...more] = inboxes
    if (only !== undefined && more.length === 0) only.push(message)
    else await refuse(listening, message)
  }
}

async function refuse({ link, upstream, conversation }: Listening, { id }: Members): Promise<void> {
  const error = { code: -32_603, message: 'The question belongs to no call, or several calls are under way.' }
  const message = { jsonrpc: '2.0', id, error }
  try {
    const headers = conversationHeaders(conversation, message)
    const { cancel } = await send(link, upstream, { method: 'POST', message, headers })
    cancel()
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
  }
}
