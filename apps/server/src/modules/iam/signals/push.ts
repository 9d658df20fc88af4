/**
 * Pushes signed Security Event Tokens to the receiver a tenant has named (RFC 8935). The event's transaction leaves
 * a job; the job reads the current settings, signs and posts, and is retried until the receiver has accepted it. A
 * token the receiver rejects as invalid is logged and dropped: it would not improve. Tested in signals.test.ts.
 */
import { writeSigned } from '../../../kernel/auth/token-form.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { EgressResponse } from '../../../kernel/egress/exchange.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { EventHandlerDeclaration, JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import type { IamServices } from '../services/iam-services.ts'
import { eventToken, type SignalEvent, signaledChannels, subjectId, toldOf } from './event-tokens.ts'
import { type SignalReceiver, signalAuthorization, signalReceiver } from './settings.ts'

const jobKind = 'iam.signal.push'
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: 15_000 }
const maxBytes = 65_536

export const forwardSignals: EventHandlerDeclaration<IamServices> = {
  name: 'iam.signals',
  channels: signaledChannels,
  handle: async ({ tx, events, kernel }) => {
    // Tried again a moment later; waiting would hold the connection that the reading may need.
    if (!kernel.settings.isReady()) throw new Error('the settings are not read yet')
    if (kernel.settings.get(signalReceiver, tx.tenantId) === null) return
    for (const event of events) {
      const { id, channel, time } = event
      await tx.enqueue({ kind: jobKind, key: id, payload: { id, channel, time, data: toldOf(event) } })
    }
  },
}

const push: JobDeclaration<IamServices> = {
  kind: jobKind,
  maxAttempts: 12,
  leaseMs: 60_000,
  everyMs: null,
  run: (context) => pushSignal(context),
}

export const signalJobs = [push] as const

type Run = Pick<JobContext<IamServices>, 'tenantId' | 'payload' | 'services'>

async function pushSignal({ tenantId, payload, services: { kernel } }: Run): Promise<void> {
  await kernel.settings.ready()
  const receiver = kernel.settings.get(signalReceiver, tenantId)
  const event = eventOf(tenantId, payload)
  // The receiver or the event no longer exists.
  if (receiver === null || event === null) return
  const answer = await post(kernel, { tenantId, receiver, token: await signed(kernel, { receiver, event }) })
  if (answer.status >= 200 && answer.status <= 299) return answer.cancel()
  if (answer.status !== 400) throw new Error(`the receiver of signals answered ${answer.status}`)
  const error = await errorIn(answer)
  await kernel.db.tenant({ tenantId }, (tx) =>
    tx.audit('iam.signal.refused', { target: `event:${event.id}`, after: { error }, result: 'refused' }),
  )
}

function eventOf(tenantId: string, { id, channel, time, data }: Run['payload']): SignalEvent | null {
  if (typeof id !== 'string' || typeof channel !== 'string' || typeof time !== 'string') return null
  if (typeof data !== 'object' || data === null) return null
  return { id, channel, time, tenantId, data: Object.fromEntries(Object.entries(data)) }
}

interface Telling {
  readonly receiver: SignalReceiver
  readonly event: SignalEvent
}

/** A token of the type that no verifier here takes for one of its own. */
async function signed(kernel: Kernel, telling: Telling): Promise<string> {
  const { signingKeys, config, clock } = kernel
  const { receiver, event } = telling
  const payload = eventToken(event, {
    issuer: config.publicUrl,
    audience: receiver.audience ?? new URL(receiver.url).origin,
    email: receiver.subject === 'email' ? await emailOf(kernel, event) : null,
    now: Math.floor(clock.now() / 1000),
  })
  const kid = signingKeys.activeKid('token')
  const text = writeSigned({ alg: 'EdDSA', typ: 'secevent+jwt', kid }, payload)
  const made = await signingKeys.sign('token', Buffer.from(text, 'latin1'))
  // A rotation between the two lines; the header must name the key that signed.
  if (made.kid !== kid) return signed(kernel, telling)
  return `${text}.${Buffer.from(made.signature).toString('base64url')}`
}

/** Null for subjects without an address: service accounts and erased people. */
async function emailOf({ db }: Kernel, event: SignalEvent): Promise<string | null> {
  const [row] = await db.read(
    tenantIdOf(event.tenantId),
    sql<{ email: string | null }>`select email from iam_user where id = ${subjectId(event)}`,
  )
  return row?.email ?? null
}

interface Posting {
  readonly tenantId: Run['tenantId']
  readonly receiver: SignalReceiver
  readonly token: string
}

function post({ egress, settings }: Kernel, { tenantId, receiver, token }: Posting): Promise<EgressResponse> {
  const { url } = receiver
  const given = settings.get(signalAuthorization, tenantId)
  const own = given !== null && new URL(given.origin).origin === new URL(url).origin
  const headers = { 'content-type': 'application/secevent+jwt', accept: 'application/json' }
  return egress.fetch({
    url,
    method: 'POST',
    headers: own ? { ...headers, authorization: given.value } : headers,
    body: token,
    timeouts,
    maxBytes,
  })
}

/** RFC 8935, section 2.4: a code of the receiver's; anything else is not worth keeping. */
async function errorIn(answer: EgressResponse): Promise<string> {
  const text = Buffer.from(await answer.bytes()).toString('utf8')
  const code = /"err"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1]
  return code ?? 'unknown'
}
