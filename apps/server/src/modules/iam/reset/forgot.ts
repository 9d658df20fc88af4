/**
 * Asking for a new password. The request does the same for every address: it counts, and adds one job. Whether there is
 * such an account is looked at by the job, so neither the answer nor its time can tell. Tested in reset.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { directoryDigest } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { uuidPattern } from '../directory/tenant-id.ts'
import { addressKeys } from '../guessing/guard.ts'
import { mailLink } from '../mail/jobs.ts'
import { openLink } from '../mail/links.ts'
import type { ForgotPassword } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { domainOf, placeOrder } from '../sign-in/find-account.ts'

const hourMs = 60 * 60_000
/** Maximum letters per mailbox; requests beyond it get the same answer and do nothing. */
const perMailbox = { limit: 5, windowMs: hourMs }
const perAddress = { limit: 30, windowMs: hourMs }
const kind = 'iam.password_forgotten'

export interface Forgotten {
  readonly body: ForgotPassword
  readonly request: RequestInfo
}

/** @throws AUTH-008 when the network address asks too often */
export async function forgotPassword({ kernel }: IamServices, { body, request }: Forgotten) {
  const [own] = addressKeys(request.ip)
  const asked = await kernel.limits.take(`${own?.key}:forgot`, perAddress)
  if (!asked.allowed) {
    const seconds = Math.max(1, Math.ceil(asked.retryAfterMs / 1000))
    throw authErrors.lockedOut({ seconds }).withHeaders({ 'retry-after': String(seconds) })
  }
  const key = emailKey(body.email)
  const mailbox = directoryDigest(kernel.platformKeys, 'email', key)
  const { allowed } = await kernel.limits.take(`{platform}:forgot:${mailbox}`, perMailbox)
  if (allowed && kernel.mail.configured) {
    const named = request.header('x-tenant-id') ?? null
    await kernel.db.tenant({ tenantId: platformTenant }, (tx) =>
      tx.enqueue({ kind, key: `${mailbox}/${named}`, payload: { mailbox, domain: domainOf(key), tenant_id: named } }),
    )
  }
  return { accepted: true as const }
}

const openReset: JobDeclaration<IamServices> = {
  kind,
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: null,
  run: async ({ services, payload }) => {
    const { mailbox, domain, tenant_id: named } = payload
    if (typeof mailbox !== 'string') return
    const asked = { mailbox, domain: typeof domain === 'string' ? domain : '' }
    const account = await accountOf(services, { ...asked, named: typeof named === 'string' ? named : null })
    if (account !== null) await openResetFor(services, account)
  },
}

interface AccountPlace {
  readonly home: TenantId
  readonly subject: string
}

interface Asked {
  readonly mailbox: string
  readonly domain: string
  readonly named: string | null
}

/** The account in the named tenant, else where sign-in would look for it. */
async function accountOf({ kernel }: IamServices, { mailbox, domain, named }: Asked): Promise<AccountPlace | null> {
  const wanted = named === null ? sql`true` : sql`home = ${uuidPattern.test(named) ? named : platformTenant}`
  const [found] = await kernel.db.read(
    platformTenant,
    sql<AccountPlace>`
      select entry.home, entry.subject from iam_directory entry
      where entry.kind = 'email' and entry.digest = ${mailbox} and ${wanted}
      order by ${placeOrder(domain)}
      limit 1`,
  )
  return found ?? null
}

/** Only for accounts that sign in with a password: active ones, and those that guessing has locked. */
async function openResetFor(services: IamServices, { home, subject }: AccountPlace): Promise<void> {
  await services.kernel.db.tenant({ tenantId: home }, async (tx) => {
    const user = await tx.first(sql<{ email: string }>`
      select email from iam_user
      where id = ${subject} and status in ('active', 'locked') and password_hash is not null and email is not null`)
    if (user === null) return
    await openLink(services, tx, { userId: subject, purpose: 'password_reset', email: user.email })
    await tx.audit('auth.password_forgotten', { target: `user:${subject}` })
    await mailLink(services, tx, { letter: 'password_reset', userId: subject })
  })
}

export const resetJobs = [openReset] as const
