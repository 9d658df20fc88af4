/**
 * The conversation that a message belongs to. Revisions with sessions have them; without one it is taken from the agent's
 * trace or its own name of the conversation, and else from the calls of one key and client within half an hour. Pure.
 * Tested in flow.test.ts.
 */
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import { type Members, textOf } from '../wire/json-rpc.ts'

export interface ConversationFacts {
  readonly sessionId: string | null
  readonly meta: Members
  /** `X-Parapet-Session`. */
  readonly header: string | undefined
  readonly keyId: string | null
  readonly client: string
  readonly autonomy: number
}

export interface ConversationKeys {
  /** Of activity and its sessions. */
  readonly conversation: string
  /** Of the labels: one for all conversations of an agent that acts on its own. */
  readonly labels: string
  readonly traceId: string | null
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/
const plain = /^[\x21-\x7e]{1,96}$/
/** From this level of autonomy on a new conversation sheds no labels. */
const agentWideFrom = 3

export function conversationOf({
  sessionId,
  meta,
  header,
  keyId,
  client,
  autonomy,
}: ConversationFacts): ConversationKeys {
  const [, trace] = traceparent.exec(textOf(meta.traceparent) ?? '') ?? []
  const traceId = trace ?? null
  const named = header ?? textOf(meta['gen_ai.conversation.id'])
  const conversation = keyOf({ sessionId, named, traceId, keyId, client })
  return { conversation, labels: autonomy >= agentWideFrom ? 'agent' : conversation, traceId }
}

interface Names {
  readonly sessionId: string | null
  readonly named: string | null
  readonly traceId: string | null
  readonly keyId: string | null
  readonly client: string
}

function keyOf({ sessionId, named, traceId, keyId, client }: Names): string {
  if (sessionId !== null) return `s:${sessionId}`
  if (traceId !== null) return `t:${traceId}`
  if (named !== null) return `c:${plain.test(named) ? named : sha256(named)}`
  return `w:${sha256(JSON.stringify([keyId, client])).slice(0, 32)}`
}
