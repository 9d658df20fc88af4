/**
 * Bearer tokens for a cloud's key service: how they are borrowed (RFC 6749, section 5.1) and used. Promises that a token
 * which is refused is not sent again. Tested in google-tokens.test.ts, azure-tokens.test.ts, google.test.ts and azure.test.ts.
 */

import Type, { type Static, type TSchema } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import type { Egress } from '../../egress/fetch.ts'
import { type Ask, askJson, codeAt, type Question, type Service } from './ask.ts'
import type { Lender, Lent } from './lent.ts'
import { KeyServiceError } from './service.ts'

export interface TokenParts {
  readonly egress: Pick<Egress, 'fetch'>
  /** To the address at which the cloud lends tokens to its workloads. */
  readonly metadata: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
}

export const TokenText = Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' })
const Token = Type.Object({
  access_token: TokenText,
  // Azure's metadata says it as text.
  expires_in: Type.Union([Type.Number({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,7}$' })]),
})

export const oauthCode = codeAt(['error'])

interface Loan {
  readonly service: Service
  readonly question: Question
  readonly by: 'egress' | 'metadata'
}

/** @throws KeyServiceError */
export async function borrowToken(parts: TokenParts, { service, question, by }: Loan): Promise<Lent<string>> {
  // Before the answer, so that a slow one is not thought to last longer.
  const askedMs = parts.clock.now()
  const token = await askJson(parts[by], { service, question, answer: Token })
  return { value: token.access_token, endsMs: askedMs + Number(token.expires_in) * 1000 }
}

/** A question as RFC 6749 has those to a token endpoint. */
export const form = (url: string, fields: Readonly<Record<string, string>>): Question => ({
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString(),
})

/** Asks with the token that is held, and once more with a new one where it is not taken. @throws KeyServiceError */
export async function askWithToken<S extends TSchema>(
  egress: Pick<Egress, 'fetch'>,
  token: Lender<string>,
  ask: Ask<S>,
): Promise<Static<S>> {
  const asked = (value: string): Promise<Static<S>> => {
    const headers = { ...ask.question.headers, authorization: `Bearer ${value}` }
    return askJson(egress, { ...ask, question: { ...ask.question, headers } })
  }
  const held = await token.current()
  try {
    return await asked(held)
  } catch (error) {
    // It may have been taken back, or have ended by the clock over there.
    if (!(error instanceof KeyServiceError) || error.status !== 401) throw error
    token.drop(held)
    return asked(await token.current())
  }
}
