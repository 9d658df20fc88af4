/**
 * Letters to people, sent by jobs after the commit that orders them and retried when the relay does not accept them. A
 * new link is made with each try. API callers wait for none of it. Tested in reset/reset.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { type LinkLetter, linkLetter, linkLetters, type Notice, noticeLetter, notices } from './letters.ts'
import { issueToken } from './links.ts'
import { mailLinks } from './tables.ts'

const linkKind = 'iam.mail_link'
const noticeKind = 'iam.mail_notice'

/** Sends the link of this user's waiting invitation or `iam_mail_link` row. Does nothing where no relay is configured. */
export async function mailLink({ kernel }: IamServices, tx: Tx, ask: { letter: LinkLetter; userId: string }) {
  if (!kernel.mail.configured) return
  const { letter, userId } = ask
  await tx.enqueue({ kind: linkKind, key: `${letter}/${userId}`, payload: { letter, user_id: userId } })
}

export interface NoticeTo {
  readonly notice: Notice
  readonly userId: string
  /** The address, which need not be the one the person has now. */
  readonly to: string | null
  /** Id of the letter's subject, if that is not the account. */
  readonly about?: string
}

/** Tells a person at this address what happened to their account. Does nothing where no relay is configured. */
export async function mailNotice(
  { kernel }: Pick<IamServices, 'kernel'>,
  tx: Tx,
  { notice, userId, to, about }: NoticeTo,
) {
  if (!kernel.mail.configured || to === null) return
  await tx.enqueue({
    kind: noticeKind,
    payload: { notice, user_id: userId, to, ...(about === undefined ? {} : { about }) },
  })
}

/** Letters to a person, waiting, sent and given up: their jobs hold addresses, and the relays' answers about them. */
export async function forgetLetters(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from job where kind in (${linkKind}, ${noticeKind}) and payload ->> 'user_id' = ${userId}`)
}

const sending = { maxAttempts: 8, leaseMs: 120_000, everyMs: null }

const sendLink: JobDeclaration<IamServices> = {
  kind: linkKind,
  ...sending,
  run: async ({ tenantId, services, payload }) => {
    const { letter, user_id: userId } = payload
    if (!isLinkLetter(letter) || typeof userId !== 'string') return
    await sendLinkTo(services, { tenantId, letter, userId })
  },
}

interface LinkOf {
  readonly tenantId: TenantId
  readonly letter: LinkLetter
  readonly userId: string
}

async function sendLinkTo(services: IamServices, { tenantId, letter, userId }: LinkOf): Promise<void> {
  const { kernel } = services
  const issued = await kernel.db.tenant({ tenantId }, async (tx) => {
    const target = letter === 'invitation' ? await invitedUser(tx, userId) : await openedLink(tx, { userId, letter })
    if (target === null || Date.parse(target.expires_at) <= kernel.clock.now()) return null
    return { to: target.email, token: await issueToken(kernel, tx, target.entry) }
  })
  // Taken back, used or run out since.
  if (issued === null) return
  await kernel.mail.send(linkLetter(letter, issued.to, { base: kernel.config.publicUrl, token: issued.token }))
}

async function invitedUser(tx: Tx, userId: string) {
  const user = await users.get(tx, userId)
  if (user?.status !== 'invited' || user.email === null || user.invitation_expires_at === null) return null
  const entry = { kind: 'invitation', subject: user.id } as const
  return { email: user.email, expires_at: user.invitation_expires_at, entry }
}

async function openedLink(tx: Tx, asked: { userId: string; letter: Exclude<LinkLetter, 'invitation'> }) {
  const link = await tx.first(sql<{ id: string; email: string; expires_at: string }>`
    select ${mailLinks.columns} from iam_mail_link where user_id = ${asked.userId} and purpose = ${asked.letter}`)
  return link === null ? null : { ...link, entry: { kind: 'mail_link', subject: link.id } as const }
}

const sendNotice: JobDeclaration<IamServices> = {
  kind: noticeKind,
  ...sending,
  run: async ({ services, payload }) => {
    const { notice, to, about } = payload
    if (!isNotice(notice) || typeof to !== 'string') return
    const { mail, config } = services.kernel
    const told = { to, about: typeof about === 'string' ? about : null, base: config.publicUrl }
    await mail.send(noticeLetter(notice, told))
  },
}

const isLinkLetter = (value: unknown): value is LinkLetter => typeof value === 'string' && value in linkLetters
const isNotice = (value: unknown): value is Notice => typeof value === 'string' && value in notices

export const mailJobs = [sendLink, sendNotice] as const
