/**
 * Letters by SMTP. A relay that is not on this machine has to speak TLS, because letters carry links that sign people in;
 * `?starttls=off` in the address says that the network between is trusted. Tested in smtp.test.ts.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../config/load.ts'
import { type Mailer, noMail, type Unsubscribe } from './port.ts'

/** Milliseconds the relay may take to answer at each step. */
const patienceMs = 15_000
const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>

export function createMailer({ smtpUrl, mailFrom, publicUrl }: MailConfig): Mailer {
  if (smtpUrl === null) return noMail
  const transport = createTransport(relayOptions(new URL(smtpUrl)))
  const from = mailFrom ?? `Parapet <parapet@${new URL(publicUrl).hostname}>`
  return {
    configured: true,
    send: async ({ to: address, unsubscribe, ...content }) => {
      const headers = unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe)
      // An object, not text: an address that is put together from parts is never parsed as a list.
      const to = { name: '', address }
      await transport.sendMail({ from, to, ...content, headers, textEncoding: 'quoted-printable' })
    },
    check: async () => void (await transport.verify()),
  }
}

/** @throws TypeError for an address that is not https */
function unsubscribeHeaders({ url, oneClick }: Unsubscribe): Record<string, string> {
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:') throw new TypeError('the address that ends letters is https')
  const header = { 'List-Unsubscribe': `<${href}>` }
  return oneClick ? { ...header, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : header
}

/** Options of a connection from the address of a relay. */
export function relayOptions(relay: URL) {
  const implicit = relay.protocol === 'smtps:'
  const trusted = loopback.has(relay.hostname) || relay.searchParams.get('starttls') === 'off'
  return {
    host: relay.hostname.replace(/^\[|\]$/g, ''),
    port: relay.port === '' ? (ports[relay.protocol] ?? 587) : Number(relay.port),
    secure: implicit,
    requireTLS: !implicit && !trusted,
    ignoreTLS: !implicit && trusted,
    ...(relay.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(relay.username), pass: decodeURIComponent(relay.password) } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
