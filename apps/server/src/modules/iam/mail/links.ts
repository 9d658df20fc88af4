/**
 * Links that work once, within half an hour. Only a keyed digest of the link is stored; the link itself is made when
 * its letter is sent and exists nowhere else, so resending a letter creates a new link and invalidates the old one.
 * Tested in reset/reset.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type DirectoryKind, directoryDigest, enter, homeOf, leave } from '../directory/directory.ts'
import type { IamServices } from '../services/iam-services.ts'
import { mailLinks } from './tables.ts'

export const linkLifeMs = 30 * 60_000
const tokenBytes = 32

export type LinkRow = NonNullable<Awaited<ReturnType<typeof mailLinks.get>>>
export type LinkPurpose = LinkRow['purpose']

export interface NewLink {
  readonly userId: string
  readonly purpose: LinkPurpose
  /** The person whose address the link proves. */
  readonly email: string
}

/** Makes room for one link of this purpose; an earlier one is dead. Answers the row's id. */
export async function openLink({ kernel }: IamServices, tx: Tx, link: NewLink): Promise<string> {
  await closeLinks(tx, link.userId, link.purpose)
  const id = kernel.random.uuid()
  const now = kernel.clock.now()
  await mailLinks.insert(tx, {
    tenant_id: tx.tenantId,
    id,
    user_id: link.userId,
    purpose: link.purpose,
    email: link.email,
    expires_at: new Date(now + linkLifeMs).toISOString(),
    created_at: new Date(now).toISOString(),
  })
  return id
}

/** Gives a subject its secret, the only one of its kind it has from now on. */
export async function issueToken(kernel: Kernel, tx: Tx, entry: { kind: DirectoryKind; subject: string }) {
  const token = Buffer.from(kernel.random.bytes(tokenBytes)).toString('base64url')
  await leave(tx, entry.kind, entry.subject)
  await enter(tx, kernel.platformKeys, { ...entry, value: token })
  return token
}

/** Kills the links a user has, of one purpose or of all. */
export async function closeLinks(tx: Tx, userId: string, purpose?: LinkPurpose): Promise<void> {
  const which = purpose === undefined ? sql`true` : sql`purpose = ${purpose}`
  const closed = await tx.query(
    sql<{ id: string }>`delete from iam_mail_link where user_id = ${userId} and ${which} returning id`,
  )
  for (const { id } of closed) await leave(tx, 'mail_link', id)
}

export interface FoundLink {
  readonly home: TenantId
  readonly digest: string
  readonly link: LinkRow
}

/** Looks without using it up. @throws AUTH-002 for a link that is not good or was used, AUTH-003 */
export async function findLink(
  { kernel }: IamServices,
  asked: { readonly token: string; readonly purpose: LinkPurpose },
): Promise<FoundLink> {
  const digest = directoryDigest(kernel.platformKeys, 'mail_link', asked.token)
  const found = await homeOf(kernel.db, { kind: 'mail_link', digest })
  if (found === null) throw authErrors.invalid()
  const [link] = await kernel.db.read(
    found.home,
    sql<LinkRow>`
      select ${mailLinks.columns} from iam_mail_link where id = ${found.subject} and purpose = ${asked.purpose}`,
  )
  if (link === undefined) throw authErrors.invalid()
  if (Date.parse(link.expires_at) <= kernel.clock.now()) throw authErrors.expired()
  return { home: found.home, digest, link }
}

/** Uses the link up: of many at once one succeeds. @throws AUTH-002 */
export async function takeLink(tx: Tx, { digest, link }: FoundLink): Promise<void> {
  const taken = await tx.execute(
    sql`delete from iam_directory where kind = 'mail_link' and digest = ${digest} and home = ${tx.tenantId}`,
  )
  if (taken === 0) throw authErrors.invalid()
  await tx.execute(sql`delete from iam_mail_link where id = ${link.id}`)
}
