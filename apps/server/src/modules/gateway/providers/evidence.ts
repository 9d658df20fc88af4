/**
 * The kept evidence of a provider's answer that could not be used. Promises that neither a message for the caller nor
 * the log holds the key the provider was asked with, however the provider echoes it. Tested in evidence.test.ts.
 */
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { hidden, piecesOf, withoutSecret } from '../../../kernel/observe/live-secrets.ts'
import { type Evidence, scrub, UpstreamFault } from './fault.ts'
import type { ProviderSecret } from './provider.ts'

const keptCharacters = 200
export type Scrubber = (text: string) => string

/** Removes the key exactly as it was sent; text that only looks like a key is handled by `scrub`. */
export function withoutKey(secret: Pick<ProviderSecret, 'value'> | null): Scrubber {
  const pieces = secret === null ? [] : piecesOf(secret.value)
  return (text) => pieces.reduce((left, piece) => left.replaceAll(piece, hidden), text)
}

/** Takes the key out of the JSON of an answer, whose other words have to stay. */
export function withoutKeyInJson(secret: Pick<ProviderSecret, 'value'> | null): Scrubber {
  return secret === null ? (text) => text : withoutSecret(secret.value)
}

/** The fault with the text that led to it, where nothing is kept of one yet. */
export function withEvidence(fault: UpstreamFault, text: string): UpstreamFault {
  return fault.evidence === null ? rewritten(fault, fault.message, evidenceOf(text)) : fault
}

/** The fault without the key, wherever the provider put it, and with no more of its text than is kept. */
export function scrubbedFault(fault: UpstreamFault, clean: Scrubber): UpstreamFault {
  const { evidence } = fault
  const kept =
    evidence === null
      ? null
      : { ...evidence, beginning: clean(evidence.beginning).slice(0, keptCharacters).toWellFormed() }
  return rewritten(fault, clean(fault.message), kept)
}

function evidenceOf(text: string): Evidence {
  // A key may begin among the characters that are kept and end behind them.
  return { sha256: sha256(text), beginning: scrub(text.slice(0, keptCharacters * 2)) }
}

function rewritten(fault: UpstreamFault, message: string, evidence: Evidence | null): UpstreamFault {
  const { kind, status, retryAfterMs, code, cause } = fault
  const kept = { status, retryAfterMs, evidence, code }
  return new UpstreamFault(kind, message, { ...kept, ...(cause === undefined ? {} : { cause }) })
}
