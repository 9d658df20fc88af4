/**
 * Signatures of thinking come back only from callers of Anthropic's form, so those of other vendors travel in it and say
 * whose they are. Promises that no vendor is sent the signature of another. Pure. Tested in google-gemini/round-trip.test.ts.
 */
import Type from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, Opaque } from '../../../call/call.ts'
import { anthropicForm } from './own-events.ts'

const Signed = Type.Object({ type: Type.Literal('thinking'), signature: Type.String() })

/** No signature of Anthropic's has this character: they are base64. */
const ofGoogle = 'google#'

export function googleSignature(signature: string): AnswerEvent {
  const value = { type: 'thinking', signature: `${ofGoogle}${signature}` }
  return { type: 'reasoning_data', choice: 0, data: { form: anthropicForm, value } }
}

/** The signature as Google gave it; null where it is none of Google's. */
export function googleSignatureOf(data: Opaque | null): string | null {
  if (data?.form !== anthropicForm || !fits(Signed, data.value)) return null
  const { signature } = data.value
  return signature.startsWith(ofGoogle) ? signature.slice(ofGoogle.length) : null
}
