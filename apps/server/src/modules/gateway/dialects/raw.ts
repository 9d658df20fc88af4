/**
 * Shared parts of all answers in a vendor's form: the body stays the vendor's, so all gateway data travels in headers,
 * both ways. A request header can only tighten the policies. Tested in raw.test.ts and through the vendors' own
 * clients.
 */

import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { RequestInfo, Trailers } from '../../../kernel/module/route.ts'
import type { Asked } from '../call/asked.ts'
import { withHeaders } from '../call/asked-headers.ts'
import { errors } from '../declared/errors.ts'
import { placesFound } from '../findings/findings.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import { costOf, securityOf } from '../records/row.ts'
import type { WriterContext } from './dialect.ts'
import { factHeaders } from './fact-headers.ts'
import { streams, timingHeader, timingTrailer } from './server-timing.ts'

type Headers = Pick<RequestInfo, 'header'>
type Told = Pick<WriterContext, 'kernel' | 'state'>

/**
 * Applies the headers `X-Gateway-Provider`, `-Policy`, `-Agent`, `-Tags`, `-Cache` and `-Retention` to the call.
 * @throws API-001
 */
export function withRawHeaders(asked: Asked, headers: Headers): Asked {
  return withHeaders(
    {
      ...asked,
      provider: nameIn(headers, 'X-Gateway-Provider') ?? asked.provider,
      policy: nameIn(headers, 'X-Gateway-Policy') ?? asked.policy,
      saidAgentId: nameIn(headers, 'X-Gateway-Agent') ?? asked.saidAgentId,
      cache: cacheIn(headers) ?? asked.cache,
    },
    headers,
  )
}

const namePattern = /^[\x21-\x7e]{1,63}$/

function nameIn(headers: Headers, header: string): string | null {
  const said = headers.header(header.toLowerCase())
  if (said === undefined) return null
  if (!namePattern.test(said)) throw apiErrors.validation({ what: `${header} takes one name of up to 63 characters.` })
  return said
}

const cachePattern = /^(off|refresh|exact)(?:; ?max-age=(\d{1,7}))?$/

function cacheIn(headers: Headers): Asked['cache'] {
  const said = headers.header('x-gateway-cache')
  if (said === undefined) return null
  const [, mode, maxAge] = cachePattern.exec(said) ?? []
  if (mode !== 'off' && mode !== 'refresh' && mode !== 'exact')
    throw apiErrors.validation({
      what: 'X-Gateway-Cache is off, refresh or exact, and may go on with ; max-age=SECONDS.',
    })
  return { mode, maxAgeS: maxAge === undefined ? null : Number(maxAge) }
}

/** Headers of a complete answer, of the beginning of a stream and of a refusal. */
export function rawHeaders(context: Told): Readonly<Record<string, string>> {
  const { state } = context
  return Object.assign(firstHeaders(state), streams(state) ? {} : lateHeaders(state), timingHeader(context, false))
}

/** Trailers at the end of a stream. */
export function rawTrailers(context: Told): Trailers {
  const timing = timingTrailer(context, false)
  return {
    names: [...lateHeaderNames, ...timing.names],
    read: () => ({ ...lateHeaders(context.state), ...timing.read() }),
  }
}

function firstHeaders(state: CallParts): Record<string, string> {
  const target = state.attempts.served ?? state.plan.targets[0]
  const { injection_score: score } = securityOf(state)
  return {
    'x-gateway-cache': state.cached.status,
    ...(target === undefined ? {} : { 'x-gateway-provider': target.provider.name, 'x-gateway-model': target.model }),
    ...(score === null ? {} : { 'x-gateway-injection-score': String(score) }),
    ...factHeaders(state),
  }
}

/** Headers known at the end only; after a stream they are its trailers. */
function lateHeaders(state: CallParts): Readonly<Record<LateHeader, string>> {
  const { pii_detected: personal, pipeline_latency_ms: ms } = securityOf(state)
  return {
    'x-gateway-pii-detected': String(personal),
    'x-gateway-violations': String(placesFound(state)),
    'x-gateway-pipeline-ms': String(ms),
    'x-gateway-cost': costText(state),
  }
}

const lateHeaderNames = [
  'x-gateway-pii-detected',
  'x-gateway-violations',
  'x-gateway-pipeline-ms',
  'x-gateway-cost',
] as const
type LateHeader = (typeof lateHeaderNames)[number]

/** An unknown amount is never reported as 0. */
function costText(state: CallParts): string {
  const { amount, currency, status } = costOf(state)
  if (amount === null) return status
  return currency === null ? amount : `${amount} ${currency}`
}

/** Refusals that may succeed on a retry. Failures of a provider are not included: the gateway has already retried. */
const passing: ReadonlySet<string> = new Set([
  apiErrors.rateLimited.code,
  apiErrors.internal.code,
  apiErrors.unavailable.code,
  apiErrors.conflict.code,
  errors.limitExceeded.code,
  errors.upstreamRateLimited.code,
  errors.noHealthyTarget.code,
  errors.stepFailed.code,
  errors.auditUnavailable.code,
])

/** Both vendors' clients check this header before the status. */
export function retryHeaders({ code }: ProblemError): Readonly<Record<string, string>> {
  return passing.has(code) ? {} : { 'x-should-retry': 'false' }
}

/**
 * The single text of an error in a vendor's body: the cause, for an invalid body each error with its place, and the
 * message configured in the policy. `placeOf` writes a pointer as the vendor does.
 */
export function messageOf(
  { code, message, members, parts }: ProblemError,
  placeOf: (pointer: string) => string,
): string {
  const told = code === apiErrors.validation.code ? parts.slice(0, mostTold) : []
  const wrong = told.flatMap(({ pointer, detail }) =>
    pointer === undefined || pointer === '' ? [] : [`${placeOf(pointer)}: ${detail}`],
  )
  const added = typeof members.message === 'string' ? [members.message] : []
  return [message, ...(code === authErrors.invalid.code ? [whoseKeys] : []), ...wrong, ...added].join(' ')
}

/** A program that was only pointed to this address still sends the vendor's key. */
const whoseKeys = 'It has to be an API key (ppt_…) or an access token of this installation, not one of the vendor.'

/** Enough to continue; dialects other than the vendors' report all of them. */
const mostTold = 3

/** The invalid fields, as JSON Pointers and names of query parameters. */
export function pointersOf({ parts }: ProblemError): readonly string[] {
  return parts.flatMap(({ pointer }) => (pointer === undefined || pointer === '' ? [] : [pointer]))
}
