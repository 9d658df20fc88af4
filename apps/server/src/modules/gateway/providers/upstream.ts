/**
 * Asks a provider over the one way out of the process and yields its answer as canonical events. Promises that every
 * failure is an UpstreamFault, that aborting the signal ends the call at the provider at once, and that no key or raw
 * error body gets out; retries and fallbacks are the caller's. Tested through the chat route against a local server.
 */

import { EgressError } from '../../../kernel/egress/errors.ts'
import type { EgressResponse } from '../../../kernel/egress/exchange.ts'
import type { Egress } from '../../../kernel/egress/fetch.ts'
import type { Clock } from '../../../kernel/kernel.ts'
import type { AnswerEvent, CanonicalCall } from '../call/call.ts'
import { type EchoModel, echo, echoModels } from './echo.ts'
import { faultOfStatus, UpstreamFault } from './fault.ts'
import { createStreamDecoder, decodeAnswer, encodeRequest, errorMessage } from './openai.ts'
import { openAiBaseUrl, type Provider, type ProviderSecret, type Target } from './provider.ts'
import { readEvents } from './sse.ts'

export interface UpstreamParts {
  readonly egress: Egress
  readonly clock: Clock
}

export interface Ask {
  readonly call: CanonicalCall
  readonly target: Target
  readonly secret: ProviderSecret | null
  readonly stream: boolean
  readonly signal: AbortSignal
}

/** Bytes an answer may have over the wire. */
const maxAnswerBytes = 16 * 1_048_576
const maxErrorBytes = 65_536

/** @throws UpstreamFault, or the signal's reason once it aborted */
export async function* askProvider(parts: UpstreamParts, ask: Ask): AsyncGenerator<AnswerEvent> {
  try {
    if (ask.target.provider.kind === 'echo')
      yield* echo(ask.call, echoModelOf(ask.target.model), { clock: parts.clock, signal: ask.signal })
    else yield* askOpenAi(parts, ask)
  } catch (error) {
    if (ask.signal.aborted) throw ask.signal.reason
    throw error instanceof EgressError ? faultOfEgress(error) : error
  }
}

function echoModelOf(name: string): EchoModel {
  const model = echoModels.find((known) => known === name)
  if (model === undefined) throw new UpstreamFault('bad_request', `There is no model ${name} here.`)
  return model
}

async function* askOpenAi({ egress }: UpstreamParts, ask: Ask): AsyncGenerator<AnswerEvent> {
  const { provider, model } = ask.target
  const dialect = { maxTokensField: provider.kind === 'openai' ? 'max_completion_tokens' : 'max_tokens' } as const
  const response = await egress.fetch({
    url: `${baseUrlOf(provider)}/chat/completions`,
    method: 'POST',
    headers: {
      ...authorization(ask.secret),
      'content-type': 'application/json',
      accept: ask.stream ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(encodeRequest(ask.call, { model, stream: ask.stream }, dialect)),
    timeouts: provider.timeouts,
    maxBytes: maxAnswerBytes,
    signal: ask.signal,
  })
  await refuseFailure(response)
  if (ask.stream && isEventStream(response)) yield* streamed(response)
  else yield* decodeAnswer(new TextDecoder().decode(await response.bytes()))
}

async function* streamed(response: EgressResponse): AsyncGenerator<AnswerEvent> {
  const decoder = createStreamDecoder()
  for await (const data of readEvents(response.body)) yield* decoder.push(data)
  decoder.end()
}

/** Names of the models a provider offers. @throws UpstreamFault */
export async function listModels(
  { egress }: Pick<UpstreamParts, 'egress'>,
  provider: Provider,
  secret: ProviderSecret | null,
): Promise<string> {
  try {
    const response = await egress.fetch({
      url: `${baseUrlOf(provider)}/models`,
      method: 'GET',
      headers: { ...authorization(secret), accept: 'application/json' },
      timeouts: provider.timeouts,
      maxBytes: maxAnswerBytes,
    })
    await refuseFailure(response)
    return new TextDecoder().decode(await response.bytes())
  } catch (error) {
    throw error instanceof EgressError ? faultOfEgress(error) : error
  }
}

function baseUrlOf(provider: Provider): string {
  return (provider.baseUrl ?? openAiBaseUrl).replace(/\/+$/, '')
}

function authorization(secret: ProviderSecret | null): Record<string, string> {
  return secret === null ? {} : { authorization: `Bearer ${secret.value}` }
}

function isEventStream({ headers }: EgressResponse): boolean {
  return headerOf(headers['content-type']).startsWith('text/event-stream')
}

function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

async function refuseFailure(response: EgressResponse): Promise<void> {
  if (response.status >= 200 && response.status < 300) return
  const body = await boundedText(response)
  const fault = faultOfStatus(response.status, errorMessage(body), retryAfterMs(response))
  if (fault !== null) throw fault
}

/** The beginning of an error body; a body that breaks or goes on for ever must not hide the status. */
async function boundedText(response: EgressResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response.body) {
      pieces.push(piece)
      size += piece.length
      if (size > maxErrorBytes) break
    }
  } catch {
    // What came until then is enough to tell what the status already says.
  }
  return Buffer.concat(pieces).toString('utf8')
}

function retryAfterMs({ headers }: EgressResponse): number | null {
  const ms = headerOf(headers['retry-after-ms'])
  if (/^\d{1,9}$/.test(ms)) return Number(ms)
  const seconds = headerOf(headers['retry-after'])
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null
}

function faultOfEgress(error: EgressError): UpstreamFault {
  const cause = { cause: error }
  switch (error.kind) {
    case 'refused':
      return new UpstreamFault('refused_address', `refused: ${error.rule ?? 'address'}`, cause)
    case 'connect':
      return new UpstreamFault('connect', 'no connection', cause)
    case 'timeout_connect':
      return new UpstreamFault('timeout', 'connecting', cause)
    case 'timeout_first_byte':
      return new UpstreamFault('timeout', 'first byte', cause)
    case 'timeout_idle':
      return new UpstreamFault('timeout', 'a gap in the answer', cause)
    case 'timeout_total':
      return new UpstreamFault('timeout', 'total', cause)
    case 'too_large':
      return new UpstreamFault('invalid', 'it is too large', cause)
    case 'reset':
    case 'aborted':
      return new UpstreamFault('broken', 'its connection broke', cause)
    default:
      return error.kind satisfies never
  }
}
