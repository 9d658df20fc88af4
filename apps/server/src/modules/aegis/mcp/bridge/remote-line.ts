/** Lines of calls that another instance keeps, reached by the change feed. Tested in mcp-sessions.test.ts. */
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Asked } from '../call/types.ts'
import { type FaultKind, UpstreamFault } from '../upstream/fault.ts'
import { isAnswerTo, type Members, objectOf } from '../wire/json-rpc.ts'
import { answerMs } from './answers.ts'
import type { Carrier } from './carrier.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { Line } from './line.ts'
import type { State } from './state.ts'

export const resumeTopic = 'aegis.mcp.resume'
export const newsTopic = 'aegis.mcp.news'

/** Time after which an instance that says nothing is taken for gone. */
const silentMs = 20_000

export interface RemoteLines {
  line(asked: Asked, state: State): Line
}

type Parts = Pick<Kernel, 'live' | 'clock' | 'background'>

export function createRemoteLines(kernel: Parts, carrier: Carrier): RemoteLines {
  const inboxes = new Map<string, Inbox>()
  kernel.live.on(newsTopic, (name, data) => {
    const inbox = inboxes.get(name)
    const content = inbox === undefined ? null : carrier.open(name, data)
    if (content !== null) inbox?.push(objectOf(content))
  })
  return {
    line: ({ caller }, { call: name, id }) => {
      const inbox = createInbox()
      inboxes.set(name, inbox)
      const { tenantId } = caller
      const send = (content: Members) => carrier.send(tenantId, { topic: resumeTopic, key: name, content })
      let isTaken = false
      let isOver = false
      const close = (): void => {
        inboxes.delete(name)
        if (isOver) return
        isOver = true
        kernel.background('closing a call of another instance', send({ close: true }))
      }
      const next = async (): Promise<Members | null> => {
        for (;;) {
          const content = await nextOf(kernel.clock, inbox, isTaken ? answerMs : silentMs)
          if (content === null) throw new UpstreamFault('over', 'The call is over.')
          if (content.taken === true) {
            isTaken = true
            continue
          }
          isOver = content.message === undefined || isAnswerTo(objectOf(content.message), id)
          if (content.message !== undefined) return objectOf(content.message)
          if (typeof content.fault === 'string')
            throw new UpstreamFault(content.fault as FaultKind, 'The MCP server failed.')
          return null
        }
      }
      return {
        ...{ id, status: 200, place: name, next, close, abandon: () => undefined },
        reply: (replies) => send({ replies }),
        attend: (signal) => {
          const leave = (): void => {
            close()
            inbox.push({ fault: 'aborted' })
          }
          if (signal.aborted) leave()
          else signal.addEventListener('abort', leave, { once: true })
          return () => signal.removeEventListener('abort', leave)
        },
      }
    },
  }
}

/** Null where nothing came in time. */
async function nextOf(clock: Parts['clock'], inbox: Inbox, ms: number): Promise<Members | null> {
  const early = inbox.take()
  if (early !== null) return early
  let timer: { stop(): void } | undefined
  const silence = new Promise<null>((resolve) => {
    timer = clock.after(ms, () => resolve(null))
  })
  await Promise.race([inbox.filled(), silence])
  timer?.stop()
  return inbox.take()
}
