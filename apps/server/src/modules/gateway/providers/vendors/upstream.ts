/**
 * Asks a provider over the one way out of the process and yields its answer as canonical events. Promises that every
 * failure is an UpstreamFault, that aborting the signal ends the call at the provider at once, and that no key or raw
 * error body gets out; retries and fallbacks are the caller's. Tested through the chat route against a local server.
 */

import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import type { Clock } from '../../../../kernel/base/clock.ts'
import { EgressError } from '../../../../kernel/egress/errors.ts'
import type { EgressResponse } from '../../../../kernel/egress/exchange.ts'
import type { Egress } from '../../../../kernel/egress/fetch.ts'
import type { Faults } from '../../../../kernel/faults/seams.ts'
import type { NamedSecrets } from '../../../../kernel/named-secrets/named-secrets.ts'
import type { AnswerEvent, CanonicalCall } from '../../call/call.ts'
import { hopsHeader } from '../../call/hops.ts'
import { afterLong } from '../../call/texts/long-turn.ts'
import { usualResponseBytes } from '../../schemas/provider-limits.ts'
import { acceptedCall } from '../accepted-call.ts'
import type { NetworkAdapter, UpstreamRequest } from '../adapter.ts'
import { boundedText, type CutBody, textOf, wholeText } from '../body-text.ts'
import { type Credentials, createCredentials, type Send } from '../credentials.ts'
import { type Scrubber, scrubbedFault, withEvidence, withoutKey, withoutKeyInJson } from '../evidence.ts'
import { faultOfEgress, UpstreamFault } from '../fault.ts'
import { errorOfPrivate, withDigestOnly, witnessed } from '../private-answer.ts'
import type { Provider, ProviderSecret, Target } from '../provider.ts'
import { createUsageRefusals, isAboutUsage, mayRefuse, type UsageRefusals } from '../usage-refusals.ts'
import { passUpstreamSeam } from './injected-fault.ts'
import { openedSecret } from './opened-secret.ts'
import { adapterFor, adapterOf } from './registry.ts'

export interface UpstreamParts {
  readonly egress: Egress
  readonly clock: Clock
  /** Where keys are that are named instead of stored. */
  readonly namedSecrets: NamedSecrets
  /** Where faults are injected into calls of tenants. */
  readonly faults: Faults
}

export interface Ask {
  /** Whose call it is; null for a probe, into which no fault is injected. */
  readonly tenantId: string | null
  /** The caller's request; a second attempt for it has the same. */
  readonly requestId?: string
  readonly call: CanonicalCall
  readonly target: Target
  readonly secret: ProviderSecret | null
  readonly stream: boolean
  readonly signal: AbortWatch
  /** W3C trace context for a provider that may know it. */
  readonly traceparent?: string | null
  /** Gateways that the call has come through with this one; 1 for one that begins here. */
  readonly hops: number
  /** Called for a non-streamed answer whose body was cut off. */
  readonly cutOff?: (body: CutBody) => void
}

export interface Upstream {
  /** @throws UpstreamFault, or the signal's reason once it aborted */
  ask(ask: Ask): AsyncGenerator<AnswerEvent>
  /** Names of the models a provider offers. @throws UpstreamFault */
  models(provider: Provider, secret: ProviderSecret | null): Promise<readonly string[]>
}

const maxTokenAnswerBytes = 65_536
const exchangeTimeouts = { connectMs: 5000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 15_000 }

/** Holds the short-lived tokens of its providers, so one serves the whole process. */
export function createUpstream({ egress, clock, namedSecrets, faults }: UpstreamParts): Upstream {
  const credentials = createCredentials(clock, sender(egress))
  const refusals = createUsageRefusals(clock)
  return {
    ask: (ask) => asking({ egress, clock, credentials, namedSecrets, refusals, faults }, ask),
    models: async (provider, named) => {
      const adapter = adapterOf(provider.kind)
      if (adapter.over === 'process') return adapter.knownModels
      if (adapter.models === null)
        throw new UpstreamFault('bad_request', 'This kind of provider has no list of models.')
      try {
        const secret = await openedSecret(namedSecrets, provider, named)
        refuseQuery(provider)
        const request = await adapter.models.request({ provider, secret, credentials, now: clock.now() })
        const response = await egress.fetch({ ...request, timeouts: provider.timeouts, maxBytes: usualResponseBytes })
        await refuseFailure(adapter, response)
        return adapter.models.parse(await textOf(response))
      } catch (error) {
        throw error instanceof EgressError ? faultOfEgress(error) : error
      }
    },
  }
}

function sender(egress: Egress): Send {
  return async (request) => {
    try {
      const response = await egress.fetch({ ...request, timeouts: exchangeTimeouts, maxBytes: maxTokenAnswerBytes })
      return { status: response.status, body: await textOf(response) }
    } catch (error) {
      throw error instanceof EgressError ? faultOfEgress(error) : error
    }
  }
}

interface AskParts extends UpstreamParts {
  readonly credentials: Credentials
  readonly refusals: UsageRefusals
}

async function* asking(parts: AskParts, ask: Ask): AsyncGenerator<AnswerEvent> {
  const adapter = adapterFor(ask.target.provider.kind, ask.call)
  try {
    const spoiled = parts.faults.seams.upstream === undefined ? null : await passUpstreamSeam(parts, adapter, ask)
    const events =
      adapter.over === 'network'
        ? askOverNetwork(parts, adapter, ask)
        : adapter.answer({ call: ask.call, model: ask.target.model }, { clock: parts.clock, signal: ask.signal })
    yield* spoiled === null ? events : spoiled(events)
  } catch (error) {
    if (ask.signal.aborted) throw ask.signal.reason
    // It may have been replaced where it is kept.
    if (isCredentialFault(error) && ask.secret?.reference !== undefined) parts.namedSecrets.forget(ask.secret.reference)
    throw error instanceof EgressError ? faultOfEgress(error) : error
  }
}

async function* askOverNetwork(parts: AskParts, adapter: NetworkAdapter, ask: Ask): AsyncGenerator<AnswerEvent> {
  const secret = await openedSecret(parts.namedSecrets, ask.target.provider, ask.secret)
  const { call, restored } = acceptedCall(ask.call, adapter.accepts)
  const asked = { ...ask, call, secret }
  try {
    for await (const event of answerOf(adapter, await exchange(parts, adapter, asked), asked)) yield restored(event)
  } catch (error) {
    throw error instanceof UpstreamFault ? scrubbedFault(error, withoutKey(secret)) : error
  }
}

async function exchange(parts: AskParts, adapter: NetworkAdapter, ask: Ask): Promise<EgressResponse> {
  const { provider } = ask.target
  const asksUsage = adapter.asksUsage === true && ask.stream && !parts.refusals.has(provider)
  const response = await send(parts, adapter, { withoutUsage: !asksUsage, ...ask })
  if (!asksUsage || !mayRefuse(response.status)) {
    await refuseFailure(adapter, response)
    return response
  }
  const body = await boundedText(response)
  if (!isAboutUsage(body)) throw failureOf(adapter, response, body)
  parts.refusals.learn(provider)
  const again = await send(parts, adapter, { withoutUsage: true, ...ask })
  await refuseFailure(adapter, again)
  return again
}

interface Sending extends Ask {
  readonly withoutUsage: boolean
}

async function send(parts: AskParts, adapter: NetworkAdapter, ask: Sending): Promise<EgressResponse> {
  const request = await requestOf(parts, adapter, ask)
  return parts.egress.fetch({
    timeouts: ask.target.provider.timeouts,
    maxBytes: ask.target.provider.limits?.max_response_bytes ?? usualResponseBytes,
    signal: ask.signal,
    ...request,
    headers: { ...headersOfCall(ask), ...request.headers },
  })
}

function headersOfCall({ traceparent = null, hops }: Ask): Readonly<Record<string, string>> {
  const counted = { [hopsHeader]: String(hops) }
  return traceparent === null ? counted : { traceparent, ...counted }
}

/** A server that echoes its request does not reveal the key to callers. */
async function* answerOf(adapter: NetworkAdapter, response: EgressResponse, ask: Ask): AsyncGenerator<AnswerEvent> {
  const clean = withoutKeyInJson(ask.secret)
  if (ask.call.embed === null && ask.stream && isStream(adapter, response))
    return yield* streamed(adapter, response, { call: ask.call, clean })
  const text = clean(await wholeText(response, ask.cutOff))
  await afterLong(text.length)
  yield* witnessed({ text, isPrivate: response.isPrivate }, () =>
    ask.call.embed === null ? adapter.decodeAnswer(text, ask.call) : (adapter.embeddings?.decode(text) ?? []),
  )
}

function noEmbeddings(): UpstreamFault {
  return new UpstreamFault('bad_request', 'This kind of provider has no embeddings.')
}

async function requestOf(
  { credentials, clock }: AskParts,
  adapter: NetworkAdapter,
  { call, target, secret, stream, withoutUsage }: Sending,
): Promise<UpstreamRequest> {
  const { provider, model } = target
  refuseQuery(provider)
  const asking = { provider, secret, credentials, now: clock.now(), call, model }
  if (call.embed === null) return adapter.request({ stream, withoutUsage, ...asking })
  if (adapter.embeddings === null) throw noEmbeddings()
  return adapter.embeddings.request({ stream: false, ...asking })
}

/** An address that was stored before queries were refused. @throws EgressError */
function refuseQuery({ baseUrl }: Provider): void {
  if (baseUrl?.includes('?') === true) throw new EgressError('refused', { rule: 'query' })
}

function isCredentialFault(error: unknown): boolean {
  return error instanceof UpstreamFault && error.kind === 'credential'
}

async function* streamed(
  { framing, createStreamDecoder }: NetworkAdapter,
  response: EgressResponse,
  { call, clean }: { readonly call: CanonicalCall; readonly clean: Scrubber },
): AsyncGenerator<AnswerEvent> {
  const decoder = createStreamDecoder(call)
  for await (const frame of framing.frames(response.body)) {
    const data = clean(frame.data)
    yield* witnessed({ text: data, isPrivate: response.isPrivate }, () =>
      decoder.push(data === frame.data ? frame : { ...frame, data }),
    )
  }
  yield* decoder.end()
}

function isStream({ framing }: NetworkAdapter, { headers }: EgressResponse): boolean {
  return headerOf(headers['content-type']).startsWith(framing.contentType)
}

function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

async function refuseFailure(adapter: NetworkAdapter, response: EgressResponse): Promise<void> {
  if (response.status >= 200 && response.status < 300) return
  throw failureOf(adapter, response, await boundedText(response))
}

function failureOf(
  adapter: NetworkAdapter,
  { status, headers, isPrivate }: EgressResponse,
  body: string,
): UpstreamFault {
  const said = isPrivate ? errorOfPrivate(body) : body
  const fault = withEvidence(adapter.errorOf({ status, body: said, header: (name) => headerOf(headers[name]) }), body)
  return isPrivate ? withDigestOnly(fault) : fault
}
