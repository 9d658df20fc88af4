/**
 * Adding an authenticator app: a secret that waits until one code shows that the app has it. A second one takes the place
 * of the first. Tested in mfa.test.ts.
 */
import { renderSVG } from 'uqr'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { makeCodes, storeCodes } from '../mfa/recovery.ts'
import { openSecret, sealSecret } from '../mfa/secrets.ts'
import { factors } from '../mfa/tables.ts'
import { base32, type Match, matchCode, otpauthUri, secretBytes } from '../mfa/totp.ts'
import type { StartTotp, VerifyTotp } from '../schemas/mfa.ts'
import type { IamServices } from '../services/iam-services.ts'
import { factorAdded } from './enrolled.ts'
import { type Enroller, enrollerOf, holdEnroller } from './enroller.ts'

const issuer = 'Parapet'

/** @throws AUTH-001, AUTH-002, AUTH-009, API-011 */
export async function startTotp(
  services: IamServices,
  { body, request }: { readonly body: StartTotp; readonly request: RequestInfo },
) {
  const { kernel } = services
  const enroller = await enrollerOf(services, { token: body.enrollment_token, request, kind: 'totp' })
  const id = kernel.random.uuid()
  // A copy: the pool of random bytes may be overwritten while we wait for the key.
  const secret = Uint8Array.from(kernel.random.bytes(secretBytes))
  const sealed = await sealSecret(kernel, enroller.tenantId, { id, secret })
  await kernel.db.tenant(enroller.scope, async (tx) => {
    await holdEnroller(tx, enroller)
    await tx.execute(
      sql`delete from iam_factor where user_id = ${enroller.userId} and kind = 'totp' and status = 'pending'`,
    )
    await factors.insert(tx, pendingRow(enroller, { id, sealed, name: body.name, at: kernel.clock.iso() }))
    await tx.audit('auth.mfa.start', { target: `user:${enroller.userId}`, after: { factor_id: id, kind: 'totp' } })
  })
  const uri = otpauthUri(secret, { issuer, account: enroller.account.email })
  return { factor_id: id, secret_base32: base32(secret), otpauth_uri: uri, qr_svg: renderSVG(uri) }
}

interface Pending {
  readonly id: string
  readonly sealed: Uint8Array
  readonly name: string | undefined
  readonly at: string
}

function pendingRow({ tenantId, userId }: Enroller, { id, sealed, name, at }: Pending) {
  return {
    tenant_id: tenantId,
    id,
    user_id: userId,
    kind: 'totp' as const,
    name: name ?? 'Authenticator app',
    status: 'pending' as const,
    secret: sealed,
    last_step: 0,
    drift: 0,
    credential_id: null,
    public_key: null,
    sign_count: 0,
    transports: null,
    synced: null,
    last_used_at: null,
    created_at: at,
    updated_at: at,
  }
}

interface Waiting {
  readonly id: string
  readonly name: string
  readonly secret: Uint8Array
}

/** @throws AUTH-001, AUTH-002, AUTH-007 for a wrong code, AUTH-009, API-011, API-013 */
export async function verifyTotp(
  services: IamServices,
  { body, request }: { readonly body: VerifyTotp; readonly request: RequestInfo },
) {
  const { kernel } = services
  const enroller = await enrollerOf(services, { token: body.enrollment_token, request, kind: 'totp' })
  const [waiting] = await kernel.db.read(
    enroller.tenantId,
    sql<Waiting>`
      select id, name, secret from iam_factor
      where id = ${body.factor_id} and user_id = ${enroller.userId} and kind = 'totp' and status = 'pending'`,
  )
  if (waiting === undefined) throw apiErrors.notFound({ what: factors.noun })
  const secret = await openSecret(kernel, enroller.tenantId, waiting)
  const match = matchCode(secret, body.code, { nowMs: kernel.clock.now(), drift: 'enrolling' })
  if (match === null) throw authErrors.badLogin()
  const { codes, hashes } = await makeCodes(services)
  await kernel.db.tenant(enroller.scope, (tx) => activate(services, tx, { enroller, waiting, match, hashes }))
  return { factor_id: waiting.id, status: 'active' as const, recovery_codes: [...codes] }
}

interface Activation {
  readonly enroller: Enroller
  readonly waiting: Waiting
  readonly match: Match
  readonly hashes: readonly string[]
}

async function activate(services: IamServices, tx: Tx, { enroller, waiting, match, hashes }: Activation) {
  const { userId } = enroller
  const now = services.kernel.clock.iso()
  const account = await holdEnroller(tx, enroller)
  await tx.execute(sql`delete from iam_factor where user_id = ${userId} and kind = 'totp' and status = 'active'`)
  // The code that shows the app works is spent with it.
  const activated = await tx.execute(sql`
    update iam_factor
    set status = 'active', last_step = ${match.step}, drift = ${match.drift}, last_used_at = ${now}, updated_at = ${now}
    where id = ${waiting.id} and status = 'pending'`)
  if (activated === 0) throw apiErrors.notFound({ what: factors.noun })
  await storeCodes(services, tx, { userId, hashes })
  const proof = { amr: ['otp', 'mfa'], acr: 'aal2' } as const
  await factorAdded(services, tx, { enroller, account, factor: { ...waiting, kind: 'totp' }, proof })
}
