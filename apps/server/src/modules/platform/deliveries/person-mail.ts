/** Mails to people about notifications, through the operator's relay. Tested in ../notifications/mails.test.ts. */
import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { defineMail } from '../../../kernel/mail/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { AttemptOutcome } from '../../../kernel/webhooks/send.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import type { PlatformServices } from '../services/platform-services.ts'

/** The title is the sender's, so the subject is ours: it names the severity alone. */
const notificationMail = defineMail({
  name: 'platform.notification',
  data: strictObject({
    severity: Type.String(),
    title: Type.String(),
    text: Type.String(),
    url: Type.String(),
  }),
  subject: 'Parapet: a notification ({{ severity }})',
  text: '{{ title }}\n\n{{ text }}\n\n{{ url }}\n',
  html: '<p><strong>{{ title }}</strong></p><p style="white-space:pre-wrap">{{ text }}</p><p><a href="{{ url | web_link }}">Open it</a></p>',
})

export interface PersonMail {
  readonly userId: string | null
  readonly message: OutgoingMessage
}

/** The address is that of this moment; a person who is gone or suspended gets nothing, which ends the delivery. */
export async function mailToPerson(
  { kernel, iam }: PlatformServices,
  tenantId: TenantId,
  { userId, message }: PersonMail,
): Promise<AttemptOutcome> {
  const startedMs = kernel.clock.now()
  const { publicUrl } = kernel.config
  const done = { status: null, answer: '', retryAfterMs: null, gone: false } as const
  const ended = (rest: Pick<AttemptOutcome, 'delivered' | 'error' | 'gone'>): AttemptOutcome => ({
    ...{ ...done, ...rest, durationMs: kernel.clock.now() - startedMs },
  })
  const people = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) =>
    iam.recipients(tx, { userIds: userId === null ? [] : [userId] }),
  )
  const to = people[0]?.email ?? null
  if (to === null) return ended({ delivered: false, error: 'the person has no active account', gone: true })
  const { severity, title, text, url } = message
  const preferencesUrl = `${publicUrl.replace(/\/$/, '')}/notifications/preferences`
  const letter = notificationMail.render(
    { severity, title, text, url: url ?? publicUrl },
    {
      to,
      ...(preferencesUrl.startsWith('https:') ? { unsubscribe: { url: preferencesUrl, oneClick: false } } : {}),
    },
  )
  try {
    await kernel.mail.send(letter)
    return ended({ delivered: true, error: null, gone: false })
  } catch (error) {
    const told = error instanceof Error ? error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300) : 'failed'
    return ended({ delivered: false, error: told, gone: false })
  }
}
