/**
 * A kind of integration: schemas of its configuration and credentials, and pure functions from a message to the bytes of
 * its wire format. Sending is of the transports (`deliveries/transports.ts`). A kind is declared with its types and held
 * without them, after both objects were checked against the schemas.
 */
import type { Static, TObject } from 'typebox'
import type { PostgresPlace } from '../../../kernel/postgres/connection.ts'
import type { RowToAdd } from '../../../kernel/postgres/writer.ts'
import type { WebhookSecret } from '../../../kernel/webhooks/sign.ts'
import type { IntegrationKind } from '../declared/integration-schema.ts'
import type { OutgoingMessage } from '../declared/message.ts'

export interface HttpRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WireInput<C, K> {
  readonly message: OutgoingMessage
  readonly config: C
  readonly credentials: K
  /** Of webhooks: those that sign. */
  readonly secrets: readonly WebhookSecret[]
  /** Unix milliseconds of this attempt. */
  readonly nowMs: number
}

export interface HttpTransport<C, K> {
  readonly type: 'http'
  /** Where it goes, for the check when it is saved. */
  readonly destination: (config: C, credentials: K) => string
  /** Asked first; the answer's body is given to `request`. */
  readonly lookup?: (input: WireInput<C, K>) => HttpRequest
  /** @param found the body that the look-up answered; null without one. Null where there is nothing to send. */
  readonly request: (input: WireInput<C, K>, found: string | null) => HttpRequest | null
  /** Why an answer of status 2xx is a failure all the same; null where it is none. */
  readonly refusal?: (body: string) => string | null
}

/** A host that is no URL, for the check when it is saved. */
export interface HostOf {
  readonly host: string
  readonly tls: boolean
}

export interface MailTransport<C, K> {
  readonly type: 'smtp'
  readonly destination: (config: C) => HostOf
  readonly letter: (input: WireInput<C, K>) => {
    readonly relay: {
      readonly host: string
      readonly port: number
      readonly tls: boolean
      readonly from: string
      readonly user: string | null
      readonly password: string | null
    }
    readonly to: readonly string[]
    readonly subject: string
    readonly text: string
  }
}

export interface LineTransport<C, K> {
  readonly type: 'tcp'
  readonly destination: (config: C) => HostOf
  readonly lines: (input: WireInput<C, K>) => {
    readonly host: string
    readonly port: number
    readonly tls: boolean
    readonly ca: string | null
    /** With its framing. */
    readonly bytes: Uint8Array
  }
}

export interface TableTransport<C, K> {
  readonly type: 'postgres'
  readonly place: (config: C, credentials: K) => PostgresPlace
  readonly row: (input: WireInput<C, K>) => RowToAdd
}

/** A connection that other parts read from; a test connects and reads nothing. */
export interface BucketTransport<C, K> {
  readonly type: 's3'
  readonly place: (
    config: C,
    credentials: K,
  ) => {
    readonly endpoint: string
    readonly region: string
    readonly bucket: string
    readonly prefix: string
    readonly credential: string
  }
}

export type Transport<C, K> =
  | HttpTransport<C, K>
  | MailTransport<C, K>
  | LineTransport<C, K>
  | TableTransport<C, K>
  | BucketTransport<C, K>

// biome-ignore lint/suspicious/noExplicitAny: both objects were checked against the schemas of the same kind.
type Checked = any

export interface KindDefinition {
  readonly kind: IntegrationKind
  readonly title: string
  readonly description: string
  readonly config: TObject
  readonly credentials: TObject
  /** Whether events and notifications are sent to it. */
  readonly sends: boolean
  readonly transport: Transport<Checked, Checked>
}

export function defineKind<C extends TObject, K extends TObject>(
  input: Omit<KindDefinition, 'config' | 'credentials' | 'transport' | 'sends'> & {
    readonly config: C
    readonly credentials: K
    readonly transport: Transport<Static<C>, Static<K>>
  },
): KindDefinition {
  return { ...input, sends: input.transport.type !== 's3' }
}

export const jsonHeaders = { 'content-type': 'application/json', 'user-agent': 'Parapet' } as const

/** The text cut to so many characters, without half a pair of surrogates at its end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
