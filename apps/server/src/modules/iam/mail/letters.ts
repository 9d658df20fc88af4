/**
 * The letters of accounts, with nothing in them that others wrote. Tested in reset/reset.test.ts.
 */
import Type from 'typebox'
import { defineMail } from '../../../kernel/mail/define.ts'
import type { Letter } from '../../../kernel/mail/port.ts'
import { strictObject } from '../../../kernel/schema/types.ts'

/** Letters with a link that is good once. */
export const linkLetters = {
  invitation: {
    path: 'invite',
    subject: 'You are invited',
    text: 'You were invited to an account. Choose a password within seven days:',
  },
  password_reset: {
    path: 'reset',
    subject: 'Set a new password',
    text: 'Somebody, probably you, asked for a new password. Within 30 minutes it can be set here, once:',
  },
  email_change: {
    path: 'confirm-email',
    subject: 'Confirm this address',
    text: 'This address is to become the one you sign in with. Confirm it within 30 minutes:',
  },
} as const

export type LinkLetter = keyof typeof linkLetters

/** Letters that only tell. */
export const notices = {
  password_reset: 'The password of your account was set anew by a link that was sent to this address.',
  email_change_asked: 'Somebody signed in to your account asked to change its e-mail address to another one.',
  email_changed: 'The e-mail address of your account was changed. This address can no longer be used to sign in.',
  factor_added: 'A second factor was added to your account.',
  factor_removed: 'A second factor of your account was removed.',
  recovery_codes: 'The recovery codes of your account were made anew.',
  dormant: 'Nobody has used your account for a long time. If you do not need it any more, tell your administrator.',
  dormant_warned:
    'Nobody has used your account for a long time. Sign in within the next seven days; otherwise it may be suspended.',
  dormant_suspended:
    'Your account was suspended, because nobody used it for a long time. An administrator can undo it.',
  review_assigned: 'You were asked to review what others have access to. Sign in to decide.',
  review_due: 'An access review that waits for your decisions ends soon. Sign in to decide.',
  password_changed: 'The password of your account was changed.',
  sso_changed:
    'A single sign-on connection, which lets people in to your organization, was made, changed, switched or deleted.',
  sso_certificate:
    'The certificate an identity provider signs with ends soon or has ended. Without a new one nobody comes in over it.',
  break_glass: 'An account for emergencies signed in although single sign-on is enforced.',
  guessing: 'Somebody is trying passwords of many accounts of your organization.',
  refresh_reuse: 'A session of your account was ended, because one of its tokens was used twice.',
} as const

export type Notice = keyof typeof notices

/** Console path of a letter's subject: below the public address, before the id. */
const places: Partial<Record<Notice, string>> = {
  review_assigned: 'access-reviews',
  review_due: 'access-reviews',
  sso_changed: 'sso-connections',
  sso_certificate: 'sso-connections',
  break_glass: 'users',
}

const toAdministrators: ReadonlySet<Notice> = new Set(['sso_changed', 'sso_certificate', 'break_glass', 'guessing'])
const surprising = 'Who it was, and from where, stands in the audit log.'
const unexpected = 'If this was not you, tell your administrator.'

const linkMail = defineMail({
  name: 'iam.link',
  data: strictObject({ subject: Type.String(), text: Type.String(), url: Type.String(), closing: Type.String() }),
  subject: '{{ subject }}',
  text: '{{ text }}\n\n{{ url }}\n\n{{ closing }}\n',
  html: `
<p>{{ text }}</p>
<p><a href="{{ url | web_link }}">{{ subject }}</a></p>
<p>{{ closing }}</p>`,
})

const noticeMail = defineMail({
  name: 'iam.notice',
  data: strictObject({
    subject: Type.String(),
    text: Type.String(),
    url: Type.Union([Type.String(), Type.Null()]),
    closing: Type.String(),
  }),
  subject: '{{ subject }}',
  text: '{{ text }}\n\n{% if url %}{{ url }}\n\n{% endif %}{{ closing }}\n',
  html: `
<p>{{ text }}</p>
{% if url %}<p><a href="{{ url | web_link }}">{{ url }}</a></p>{% endif %}
<p>{{ closing }}</p>`,
})

/** The secret stands after `#`, so that browsers do not send it anywhere. */
export function linkLetter(
  letter: LinkLetter,
  to: string,
  link: { readonly base: string; readonly token: string },
): Letter {
  const { path, subject, text } = linkLetters[letter]
  return linkMail.render({ subject, text, url: `${link.base}/${path}#${link.token}`, closing: unexpected }, { to })
}

export interface Told {
  readonly to: string
  /** Id of the subject; null where that is the account. */
  readonly about: string | null
  /** Public address. */
  readonly base: string
}

export function noticeLetter(notice: Notice, { to, about, base }: Told): Letter {
  const place = about === null ? undefined : places[notice]
  const data = {
    subject: place === undefined ? 'Your account' : 'Your organization',
    text: notices[notice],
    url: place === undefined ? null : `${base}/${place}/${about}`,
    closing: toAdministrators.has(notice) ? surprising : unexpected,
  }
  return noticeMail.render(data, { to })
}
