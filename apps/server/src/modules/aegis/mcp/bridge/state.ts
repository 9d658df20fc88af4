/** The state that a client gives back with its answers: sealed for its key, its server and its arguments. Tested in bridge-parts.test.ts. */
import Type, { type Static } from 'typebox'
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { boundTo, open, seal } from '../../../../kernel/crypto/envelope.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { Asked } from '../call/types.ts'
import { type Members, objectOf, type RpcId } from '../wire/json-rpc.ts'
import { answerMs } from './answers.ts'
import type { Reply } from './line.ts'

const State = Type.Object({
  /** Name of the call at the instance that keeps it. */
  call: Type.String(),
  /** Of the request at the upstream. */
  id: Type.Union([Type.String(), Type.Integer()]),
  keys: Type.Array(Type.String()),
  argsSha256: Type.Union([Type.String(), Type.Null()]),
  /** Unix milliseconds. */
  expires: Type.Integer(),
})
export type State = Static<typeof State>

const prefix = 'parapet.question.'
const longestState = 16_384

export const isQuestionState = (state: unknown): boolean => typeof state === 'string' && state.startsWith(prefix)

export interface States {
  seal(asked: Asked, state: Omit<State, 'expires'>): string
  /** Null for a message without a state of ours. */
  open(asked: Asked): State | 'over' | null
}

export function createStates({
  platformKeys,
  random,
  clock,
}: Pick<Kernel, 'platformKeys' | 'random' | 'clock'>): States {
  const key = platformKeys.derive('aegis-mcp-question')
  return {
    seal: (asked, state) => {
      const plaintext = Buffer.from(JSON.stringify({ ...state, expires: clock.now() + answerMs }))
      const sealed = seal({ key, keyVersion: 1, nonce: random.bytes(12), context: contextOf(asked), plaintext })
      return `${prefix}${Buffer.from(sealed).toString('base64url')}`
    },
    open: (asked) => {
      const token = asked.params.requestState
      if (typeof token !== 'string' || !token.startsWith(prefix)) return null
      if (token.length > longestState) return 'over'
      try {
        const bytes = open(key, contextOf(asked), Buffer.from(token.slice(prefix.length), 'base64url'))
        const state: unknown = JSON.parse(Buffer.from(bytes).toString())
        return fits(State, state) && state.expires > clock.now() ? state : 'over'
      } catch {
        return 'over'
      }
    },
  }
}

function contextOf({ caller, method, params }: Asked): Uint8Array {
  const { tenantId, agentId, keyId, serverId } = caller.holder
  const { _meta: _own, inputResponses: _responses, requestState: _state, ...rest } = params
  return boundTo('mcp-question', tenantId, agentId, keyId ?? '', serverId, method, canonicalHash(rest))
}

/** Name of a question in a modern result: its id at the upstream. */
export const keyOf = (id: unknown): string => JSON.stringify(id)

/** Answers by the ids at the upstream; a question that the client left out is answered with an error. */
export function repliesOf(keys: readonly string[], responses: Members): readonly Reply[] {
  return keys.map((key) => {
    const result = responses[key]
    const content =
      result === undefined
        ? { error: { code: -32_603, message: 'The client gave no answer.' } }
        : { result: objectOf(result) }
    return { id: JSON.parse(key) as RpcId, content }
  })
}
