import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { directoryDigest, type Home, homeOf } from '../directory/directory.ts'
import type { IamServices } from '../services/iam-services.ts'

export interface Invited {
  readonly email: string
  readonly invitation_expires_at: string
  readonly invited_by: string | null
  readonly invited_by_tenant: TenantId | null
  readonly tenant_name: string
  readonly slug: string
}

async function readInvited({ kernel }: IamServices, { home, subject }: Home): Promise<Invited | null> {
  const [row] = await kernel.db.read(
    home,
    sql<Invited>`
      select u.email, u.invitation_expires_at, u.invited_by, u.invited_by_tenant, t.name as tenant_name, t.slug
      from iam_user u
      join iam_tenant t on t.id = u.tenant_id
      where u.id = ${subject} and u.status = 'invited' and u.invitation_expires_at is not null and t.status = 'active'`,
  )
  return row ?? null
}

/** An invitation that is still good. */
export interface FoundInvitation {
  readonly home: TenantId
  readonly userId: string
  readonly digest: string
  readonly invited: Invited
}

/** Looks without using it up. @throws AUTH-002 for a link that is not good or was used, AUTH-003 */
export async function findInvitation(services: IamServices, token: string): Promise<FoundInvitation> {
  const { kernel } = services
  const digest = directoryDigest(kernel.platformKeys, 'invitation', token)
  const found = await homeOf(kernel.db, { kind: 'invitation', digest })
  const invited = found === null ? null : await readInvited(services, found)
  if (found === null || invited === null) throw authErrors.invalid()
  if (Date.parse(invited.invitation_expires_at) <= kernel.clock.now()) throw authErrors.expired()
  return { home: found.home, userId: found.subject, digest, invited }
}
