/** Mails to people about notifications, through the operator's relay. Tested in ../notifications/mails.test.ts. */
import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { isRecord } from '../../../kernel/base/is-record.ts'
import { defineMail } from '../../../kernel/mail/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { AttemptOutcome } from '../../../kernel/webhooks/send.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { type Category, categories } from '../declared/words.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { unsubscribePath, unsubscribeToken } from './unsubscribe-token.ts'

/** The title is the sender's, so the subject is ours: it names the severity alone. */
const notificationMail = defineMail({
  name: 'platform.notification',
  data: strictObject({
    severity: Type.String(),
    title: Type.String(),
    text: Type.String(),
    url: Type.String(),
    // Empty where the server has no https address.
    stop: Type.String(),
  }),
  subject: 'Parapet: a notification ({{ severity }})',
  text: '{{ title }}\n\n{{ text }}\n\n{{ url }}\n{% if stop != "" %}\nEnd mails of this kind: {{ stop }}\n{% endif %}',
  html: '<p><strong>{{ title }}</strong></p><p style="white-space:pre-wrap">{{ text }}</p><p><a href="{{ url | web_link }}">Open it</a></p>{% if stop != "" %}<p style="font-size:13px"><a href="{{ stop | web_link }}">End mails of this kind</a></p>{% endif %}',
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
  const stop = stopUrl(kernel, { tenantId, userId, message })
  const letter = notificationMail.render(
    { severity, title, text, url: url ?? publicUrl, stop: stop ?? '' },
    { to, ...(stop === null ? {} : { unsubscribe: { url: stop, oneClick: true } }) },
  )
  try {
    await kernel.mail.send(letter)
    return ended({ delivered: true, error: null, gone: false })
  } catch (error) {
    const told = error instanceof Error ? error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300) : 'failed'
    return ended({ delivered: false, error: told, gone: false })
  }
}

interface Stopping extends PersonMail {
  readonly tenantId: TenantId
}

/** The link that ends mails of the categories of this one; null where there is no https address for it. */
function stopUrl(kernel: PlatformServices['kernel'], { tenantId, userId, message }: Stopping): string | null {
  const base = kernel.config.publicUrl.replace(/\/$/, '')
  const told = categoriesOf(message)
  if (userId === null || told.length === 0 || !base.startsWith('https:')) return null
  const token = unsubscribeToken(kernel, { tenantId, userId, categories: told })
  return `${base}${unsubscribePath}?token=${token}`
}

function categoriesOf({ event: { data } }: OutgoingMessage): readonly Category[] {
  if (!isRecord(data)) return []
  const named = Array.isArray(data.categories) ? data.categories : [data.category]
  return categories.filter((one) => named.includes(one))
}
