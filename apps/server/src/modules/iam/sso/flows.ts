/**
 * One sign-in over a connection, from its start to the exchange of its code: every step works once and in its time. What
 * would let somebody else go on with it is kept as a digest or sealed. Tested in oidc/oidc.test.ts.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { tenantIdOf } from '../tenant-id.ts'
import type { AssertedIdentity } from './identity.ts'
import { ssoFlows } from './tables.ts'

export type FlowRow = NonNullable<Awaited<ReturnType<typeof ssoFlows.get>>>

/** How long somebody may take at the identity provider. */
const flowLifeMs = 10 * 60_000
const codeLifeMs = 60_000

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface NewFlow {
  readonly id: string
  readonly connectionId: string
  /** The OIDC state or the SAML request id. */
  readonly request: string
  readonly sealed: Uint8Array | null
  readonly codeChallenge: string
}

export async function beginFlow({ clock }: Kernel, tx: Tx, flow: NewFlow): Promise<void> {
  const now = clock.now()
  await ssoFlows.insert(tx, {
    tenant_id: tx.tenantId,
    id: flow.id,
    connection_id: flow.connectionId,
    request_digest: digestOf(flow.request),
    sealed: flow.sealed,
    code_challenge: flow.codeChallenge,
    expires_at: new Date(now + flowLifeMs).toISOString(),
    taken_at: null,
    user_id: null,
    subject: null,
    idp_sid: null,
    amr: [],
    acr: null,
    code_digest: null,
    code_expires_at: null,
    exchanged_at: null,
    created_at: new Date(now).toISOString(),
  })
}

/** The flow an answer belongs to; whoever takes it is the only one, also when the answer then turns out to be bad. */
export function takeFlow(
  { clock }: Kernel,
  tx: Tx,
  answer: { readonly connectionId: string; readonly request: string },
): Promise<FlowRow | null> {
  const now = clock.iso()
  return tx.first(sql<FlowRow>`
    update iam_sso_flow
    set taken_at = ${now}
    where connection_id = ${answer.connectionId} and request_digest = ${digestOf(answer.request)}
      and taken_at is null and expires_at > ${now}
    returning ${ssoFlows.columns}`)
}

/** Notes who it was and makes the code that the browser takes to the exchange. */
export async function completeFlow(
  { clock, random }: Kernel,
  tx: Tx,
  done: { readonly flow: FlowRow; readonly userId: string; readonly identity: AssertedIdentity },
): Promise<string> {
  const code = codeOf(tx.tenantId, random.bytes(codeSecretBytes))
  const { identity } = done
  await ssoFlows.patch(tx, done.flow.id, {
    user_id: done.userId,
    subject: identity.subject,
    idp_sid: identity.idpSid,
    amr: [...identity.amr].slice(0, 20),
    acr: identity.acr,
    code_digest: digestOf(code),
    code_expires_at: new Date(clock.now() + codeLifeMs).toISOString(),
  })
  return code
}

const tenantBytes = 16
const codeSecretBytes = 32

/** The tenant's id leads to the row; the 256 bits after it are the secret. */
function codeOf(tenantId: TenantId, secret: Uint8Array): string {
  return Buffer.concat([Buffer.from(tenantId.replaceAll('-', ''), 'hex'), secret]).toString('base64url')
}

/** The tenant a code says it is of; null when it has not the form of one. */
export function tenantOfCode(code: string): TenantId | null {
  const bytes = Buffer.from(code, 'base64url')
  if (bytes.byteLength !== tenantBytes + codeSecretBytes || bytes.toString('base64url') !== code) return null
  const hex = bytes.subarray(0, tenantBytes).toString('hex')
  return tenantIdOf(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}

export interface CompletedFlow extends FlowRow {
  readonly user_id: string
  readonly subject: string
}

/** Spends a code; null when it was never made, is spent or has run out. A wrong verifier spends it too. */
export async function spendCode(
  { clock }: Kernel,
  tx: Tx,
  given: { readonly code: string; readonly verifier: string },
): Promise<CompletedFlow | null> {
  const now = clock.iso()
  const flow = await tx.first(sql<FlowRow>`
    update iam_sso_flow
    set exchanged_at = ${now}
    where code_digest = ${digestOf(given.code)} and exchanged_at is null and code_expires_at > ${now}
    returning ${ssoFlows.columns}`)
  if (flow === null || !answersChallenge(flow.code_challenge, given.verifier)) return null
  const { user_id, subject } = flow
  return user_id === null || subject === null ? null : { ...flow, user_id, subject }
}

/** RFC 7636 section 4.6, S256. */
function answersChallenge(challenge: string, verifier: string): boolean {
  const [made, wanted] = [createHash('sha256').update(verifier, 'ascii').digest(), Buffer.from(challenge, 'base64url')]
  return made.byteLength === wanted.byteLength && timingSafeEqual(made, wanted)
}
