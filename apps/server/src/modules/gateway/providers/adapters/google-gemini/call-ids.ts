/** Ids for calls of tools to which their vendor gave none. Pure. Tested in decode.test.ts. */
import { sha256 } from '../../../../../kernel/crypto/digest.ts'

const prefix = 'call_gemini_'

/** The same for the same call of the same answer however often it is read, and another one for every other. */
export function callId(...facts: readonly unknown[]): string {
  return `${prefix}${sha256(JSON.stringify(facts)).slice(0, 24)}`
}

/** The vendor does not know it and is not shown it. */
export function isMadeUp(id: string): boolean {
  return id.startsWith(prefix)
}
