/**
 * Questions that clients with sessions were asked on a stream, and their answers, which come in requests of their own on
 * any instance. Tested in sdk-matrix.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { isRecord } from '../../../../kernel/base/is-record.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'
import type { Carrier } from './carrier.ts'

export interface ClientAnswers {
  /** The client's answer to the question of this name; null where the time is over or the call has ended. */
  wait(name: string, signal: AbortWatch): Promise<Members | null>
  /** Takes an answer: to the question here, or to the instance that asked. */
  take(tenantId: TenantId, name: string, message: Members): Promise<void>
}

/** Time that a person has for an answer. */
export const answerMs = 10 * 60_000
const topic = 'aegis.mcp.answer'

export function createClientAnswers({ live, clock }: Pick<Kernel, 'live' | 'clock'>, carrier: Carrier): ClientAnswers {
  const waiting = new Map<string, (answer: Members | null) => void>()
  live.on(topic, (name, data) => {
    const told = waiting.get(name)
    const message = told === undefined ? null : carrier.open(name, data)
    if (told !== undefined && isRecord(message)) told(objectOf(message))
  })
  return {
    wait: (name, signal) =>
      new Promise((resolve) => {
        const end = (answer: Members | null): void => {
          waiting.delete(name)
          timer.stop()
          signal.removeEventListener('abort', leave)
          resolve(answer)
        }
        const leave = (): void => end(null)
        const timer = clock.after(answerMs, leave)
        waiting.set(name, end)
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
      }),
    take: async (tenantId, name, message) => {
      const told = waiting.get(name)
      if (told !== undefined) return told(message)
      await carrier.send(tenantId, { topic, key: name, content: message })
    },
  }
}
