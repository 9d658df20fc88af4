/**
 * One attempt to send one message over the transport of its kind, through the guarded way out. Every reaction of the
 * other side is an outcome and no error; nothing is repeated here. Tested in deliveries.test.ts.
 */
import { EgressError } from '../../../kernel/egress/errors.ts'
import { sendBytes } from '../../../kernel/egress/send-bytes.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { sendThroughRelay } from '../../../kernel/mail/tenant-relay.ts'
import { addRow } from '../../../kernel/postgres/writer.ts'
import { createS3Client } from '../../../kernel/s3/client.ts'
import { type AttemptOutcome, sendRequest } from '../../../kernel/webhooks/send.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { kindOf } from '../kinds/catalog.ts'
import type {
  BucketTransport,
  HostOf,
  HttpTransport,
  KindDefinition,
  LineTransport,
  MailTransport,
  TableTransport,
} from '../kinds/kind.ts'
import type { Secrets } from './sealed.ts'

export interface Sending {
  readonly integration: Pick<IntegrationRow, 'kind' | 'config'>
  readonly secrets: Secrets
  readonly message: OutgoingMessage
  readonly signal?: AbortSignal
}

type Parts = Pick<Kernel, 'egress' | 'clock'>

const timeoutMs = 15_000

export function sendOnce(parts: Parts, sending: Sending): Promise<AttemptOutcome> {
  const { transport } = kindOf(sending.integration.kind)
  if (transport.type === 'http') return overHttp(parts, sending, transport)
  if (transport.type === 'smtp') return timed(parts, () => overMail(parts, sending, transport))
  if (transport.type === 'tcp') return timed(parts, () => overTcp(parts, sending, transport))
  if (transport.type === 'postgres') return timed(parts, () => intoTable(parts, sending, transport))
  return timed(parts, () => listBucket(parts, sending, transport))
}

// biome-ignore lint/suspicious/noExplicitAny: as in kind.ts, both were checked against the schemas of the kind.
type Checked = any

const wireInput = ({ clock }: Parts, { integration, secrets, message }: Sending) => ({
  ...{ message, config: integration.config as Checked, credentials: secrets.credentials as Checked },
  ...{ secrets: secrets.signing, nowMs: clock.now() },
})

const done: AttemptOutcome = {
  ...{ delivered: true, status: null, error: null, answer: '', gone: false, retryAfterMs: null, durationMs: 0 },
}

async function overHttp(
  parts: Parts,
  sending: Sending,
  { lookup, request, refusal }: HttpTransport<Checked, Checked>,
): Promise<AttemptOutcome> {
  const input = wireInput(parts, sending)
  const found = lookup === undefined ? null : await sendRequest(parts, lookup(input), sending.signal)
  if (found !== null && !found.delivered) return found
  const wanted = request(input, found?.answer ?? null)
  if (wanted === null) return found ?? done
  const outcome = await sendRequest(parts, wanted, sending.signal)
  const refused = outcome.delivered ? (refusal?.(outcome.answer) ?? null) : null
  return refused === null ? outcome : { ...outcome, delivered: false, error: refused }
}

/** The text that is kept as the answer. */
type Attempted = () => Promise<string>

async function timed({ clock }: Parts, attempt: Attempted): Promise<AttemptOutcome> {
  const startedMs = clock.now()
  try {
    const answer = (await attempt()).slice(0, 1_024)
    return { ...done, answer, durationMs: clock.now() - startedMs }
  } catch (error) {
    const brief = error instanceof EgressError ? error.brief : describe(error)
    return { ...done, delivered: false, error: brief, durationMs: clock.now() - startedMs }
  }
}

const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)

function overMail(parts: Parts, sending: Sending, { letter }: MailTransport<Checked, Checked>): Promise<string> {
  const { relay, ...content } = letter(wireInput(parts, sending))
  return sendThroughRelay(parts.egress, relay, content)
}

/** Syslog has no answer (RFC 5425). */
async function overTcp(parts: Parts, sending: Sending, { lines }: LineTransport<Checked, Checked>): Promise<string> {
  const { host, port, tls, ca, bytes } = lines(wireInput(parts, sending))
  const target = { host, port, timeoutMs, tls: tls ? (ca === null ? {} : { ca }) : null }
  await sendBytes(parts.egress, target, bytes)
  return ''
}

async function intoTable(parts: Parts, sending: Sending, kind: TableTransport<Checked, Checked>): Promise<string> {
  const place = kind.place(sending.integration.config, sending.secrets.credentials)
  const added = await addRow(parts.egress, place, kind.row(wireInput(parts, sending)))
  return added ? 'The row was added.' : 'The row was there already.'
}

async function listBucket(parts: Parts, sending: Sending, kind: BucketTransport<Checked, Checked>): Promise<string> {
  const place = kind.place(sending.integration.config, sending.secrets.credentials)
  const send = createS3Client(parts, place)
  const query = { 'list-type': '2', 'max-keys': '1', prefix: place.prefix }
  const answer = await send({ method: 'GET', name: null, query, maxBytes: 65_536 })
  const text = Buffer.from(await answer.bytes()).toString('utf8')
  if (answer.status === 200) return 'The bucket can be listed.'
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1]
  throw new Error(`the bucket answered ${answer.status}${code === undefined ? '' : ` (${code})`}`)
}

/** Where the configuration leads, for the check when it is saved. */
export function destinationOf({ transport }: KindDefinition, config: Checked, credentials: Checked): string {
  if (transport.type === 'http') return transport.destination(config, credentials)
  if (transport.type === 's3') return transport.place(config, credentials).endpoint
  if (transport.type !== 'postgres') return urlOf(transport.destination(config))
  const { host, tls = null } = transport.place(config, credentials)
  return urlOf({ host, tls: tls !== null })
}

/** Rules for public addresses speak of schemes: TLS is allowed as https is, and clear text as little as http. */
const urlOf = ({ host, tls }: HostOf): string =>
  `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}`
