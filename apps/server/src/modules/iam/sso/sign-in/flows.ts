/**
 * One sign-in over a connection, from its start to the exchange of its code: every step works once and in its time.
 * Values that would let another person continue it are stored as a digest or sealed. Tested in ../oidc/oidc.test.ts.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { tenantIdOf } from '../../directory/tenant-id.ts'
import type { AssertedIdentity } from '../identity.ts'
import { ssoFlows } from '../tables.ts'

export type FlowRow = NonNullable<Awaited<ReturnType<typeof ssoFlows.get>>>

/** How long a person may take at the identity provider. */
const flowLifeMs = 10 * 60_000
const codeLifeMs = 60_000

/** The administrator who only wants to see what would happen. */
export interface Trier {
  readonly userId: string
  readonly homeTenantId: string
}

export interface NewFlow {
  readonly id: string
  readonly connectionId: string
  /** The OIDC state or the SAML request id. */
  readonly request: string
  readonly sealed: Uint8Array | null
  readonly codeChallenge: string
  readonly trialBy: Trier | null
}

export async function beginFlow({ clock }: Kernel, tx: Tx, flow: NewFlow): Promise<void> {
  const now = clock.now()
  await ssoFlows.insert(tx, {
    tenant_id: tx.tenantId,
    id: flow.id,
    connection_id: flow.connectionId,
    request_digest: sha256(flow.request),
    sealed: flow.sealed,
    code_challenge: flow.codeChallenge,
    expires_at: new Date(now + flowLifeMs).toISOString(),
    taken_at: null,
    user_id: null,
    subject: null,
    idp_sid: null,
    amr: [],
    acr: null,
    auth_time: null,
    code_digest: null,
    code_expires_at: null,
    exchanged_at: null,
    trial_by: flow.trialBy?.userId ?? null,
    trial_by_tenant: flow.trialBy?.homeTenantId ?? null,
    trial_done_at: null,
    created_at: new Date(now).toISOString(),
  })
}

/** Takes the flow an answer belongs to; it can be taken once, even when the answer then turns out to be bad. */
export function takeFlow(
  { clock }: Kernel,
  tx: Tx,
  answer: { readonly connectionId: string; readonly request: string },
): Promise<FlowRow | null> {
  const now = clock.iso()
  return tx.first(sql<FlowRow>`
    update iam_sso_flow
    set taken_at = ${now}
    where connection_id = ${answer.connectionId} and request_digest = ${sha256(answer.request)}
      and taken_at is null and expires_at > ${now}
    returning ${ssoFlows.columns}`)
}

/** Records the person and makes the code that the browser takes to the exchange. */
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
    auth_time: identity.authTime === null ? null : new Date(identity.authTime).toISOString(),
    code_digest: sha256(code),
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

export interface GivenCode {
  readonly code: string
  readonly verifier: string
}

const openCode = (code: string, now: string) =>
  sql`code_digest = ${sha256(code)} and exchanged_at is null and code_expires_at > ${now}`

/** The flow of a code, without spending it; null if it is unknown, spent, expired or another browser's. */
export async function seeCode({ clock }: Kernel, tx: Tx, { code, verifier }: GivenCode): Promise<CompletedFlow | null> {
  const condition = openCode(code, clock.iso())
  return completed(
    await tx.first(sql<FlowRow>`select ${ssoFlows.columns} from iam_sso_flow where ${condition}`),
    verifier,
  )
}

/** Spends a code; null when it was never made, is spent or has run out. A wrong verifier spends it too. */
export async function spendCode(
  { clock }: Kernel,
  tx: Tx,
  { code, verifier }: GivenCode,
): Promise<CompletedFlow | null> {
  const now = clock.iso()
  const flow = await tx.first(sql<FlowRow>`
    update iam_sso_flow
    set exchanged_at = ${now}
    where ${openCode(code, now)}
    returning ${ssoFlows.columns}`)
  return completed(flow, verifier)
}

function completed(flow: FlowRow | null, verifier: string): CompletedFlow | null {
  if (flow === null || !answersChallenge(flow.code_challenge, verifier)) return null
  const { user_id, subject } = flow
  return user_id === null || subject === null ? null : { ...flow, user_id, subject }
}

/** Makes the code valid again for a caller who needs a second factor; once, and no longer than the sign-in may take. */
export function waitForFactor(tx: Tx, flow: FlowRow): Promise<void> {
  return ssoFlows.patch(tx, flow.id, { exchanged_at: null, code_expires_at: flow.expires_at })
}

/** RFC 7636 section 4.6, S256. */
function answersChallenge(challenge: string, verifier: string): boolean {
  const [made, wanted] = [createHash('sha256').update(verifier, 'ascii').digest(), Buffer.from(challenge, 'base64url')]
  return made.byteLength === wanted.byteLength && timingSafeEqual(made, wanted)
}
