/**
 * Contract of a kind of provider. An adapter translates between the canonical call and one vendor's wire format; the
 * network, its timeouts, retries and keys belong to upstream.ts and the steps. Adapters are registered in registry.ts.
 */

import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import type { AnswerEvent, CanonicalCall } from '../call/call.ts'
import type { Takes } from '../call/fields.ts'
import type { ProviderSettings } from '../schemas/provider.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'
import type { Accepts } from './accepted-call.ts'
import type { Credentials } from './credentials.ts'
import type { UpstreamFault } from './fault.ts'
import type { Framing, StreamFrame } from './framing.ts'
import type { Provider, ProviderSecret } from './provider.ts'

interface AdapterFacts extends Takes {
  readonly kind: ProviderKind
}

/** Address and credentials of the request. */
export interface Asking {
  readonly provider: Provider
  readonly secret: ProviderSecret | null
  /** For keys that have to be exchanged for a token first; a key that signs requests by itself does not need it. */
  readonly credentials: Credentials
  /** Unix milliseconds, for signatures. */
  readonly now: number
}

export interface AskingModel extends Asking {
  /** Holds only fields that the adapter's table supports. */
  readonly call: CanonicalCall
  readonly model: string
  readonly stream: boolean
  /** The server refuses requests for the usage of a stream. */
  readonly withoutUsage?: boolean
}

export interface UpstreamRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface ErrorAnswer {
  readonly status: number
  /** The beginning of the body; any part shown to callers must be scrubbed. */
  readonly body: string
  header(name: string): string
}

/** Turns the frames of one stream into events. Its own state, its own stream. */
export interface StreamDecoder {
  /** @throws UpstreamFault for an error event or data that is none of the vendor's */
  push(frame: StreamFrame): readonly AnswerEvent[]
  /** @throws UpstreamFault `broken` when the answer is not complete */
  end(): readonly AnswerEvent[]
}

/** Form of a kind's key if it is more than one word. */
export interface KeyForm {
  /** The fault of the key, without a piece of it; null when it can be used. */
  problemOf(value: string): string | null
  /** The part that tells it apart from others and is no secret, or the key itself if there is no such part. */
  nameOf(value: string): string
}

/** Translates for a provider over the network. All but `request` is pure, and `request` waits for credentials only. */
export interface NetworkAdapter extends AdapterFacts {
  readonly over: 'network'
  /** Names and places that the vendor accepts; a call is put into them before it comes to the adapter. */
  readonly accepts?: Accepts
  /** Where the vendor itself answers, for some by its settings; null where every installation has an address of its own. */
  readonly baseUrl: string | null | ((settings: ProviderSettings) => string)
  /** Absent where a key is one word. */
  readonly keyForm?: KeyForm
  /** Settings that are required to call the provider. */
  readonly needs?: readonly (keyof ProviderSettings)[]
  request(asking: AskingModel): UpstreamRequest | Promise<UpstreamRequest>
  /** Events of a complete answer. @throws UpstreamFault `invalid` */
  decodeAnswer(text: string, call: CanonicalCall): readonly AnswerEvent[]
  readonly framing: Framing
  /** The usage of a stream must be requested, which not every server supports. */
  readonly asksUsage?: true
  createStreamDecoder(call: CanonicalCall): StreamDecoder
  /** The fault an answer other than 2xx stands for. */
  errorOf(answer: ErrorAnswer): UpstreamFault
  /** Null where the vendor has no list to ask for. */
  readonly models: {
    request(asking: Asking): UpstreamRequest | Promise<UpstreamRequest>
    /** @throws UpstreamFault `invalid` */
    parse(text: string): readonly string[]
  } | null
  /** Null where the vendor has no embedding models. The answer's events are `embedding` and `usage`. */
  readonly embeddings: {
    request(asking: AskingModel): UpstreamRequest | Promise<UpstreamRequest>
    decode(text: string): readonly AnswerEvent[]
  } | null
}

export interface LocalParts {
  readonly clock: Pick<Clock, 'after'>
  readonly signal: AbortWatch
}

/** Answers in this process, without a network. */
export interface LocalAdapter extends AdapterFacts {
  readonly over: 'process'
  readonly knownModels: readonly string[]
  /** @throws UpstreamFault */
  answer(
    asking: { readonly call: CanonicalCall; readonly model: string },
    parts: LocalParts,
  ): AsyncGenerator<AnswerEvent>
}

export type ProviderAdapter = NetworkAdapter | LocalAdapter
