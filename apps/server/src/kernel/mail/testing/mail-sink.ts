/** A mail relay that keeps what it is given: a real SMTP server on a free port of this machine. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface SunkLetter {
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  /** Its media type, as a mail program would take it. */
  readonly type: string
  readonly text: string
  /** Null for a letter of text only. */
  readonly html: string | null
  /** All headers of the letter, a line each. */
  readonly head: string
}

export interface MailSink {
  /** For `PARAPET_SMTP_URL`. */
  readonly url: string
  readonly letters: readonly SunkLetter[]
  /** The newest letter to this address, if there is one. */
  newestTo(address: string): SunkLetter | undefined
  /** The texts of all letters to this address: several parts of the program may write about one event, in any order. */
  textsTo(address: string): readonly string[]
  /** Refuses the next letters for now, as a relay that is busy does. */
  refuse(count: number): void
  close(): Promise<void>
}

export async function openMailSink(): Promise<MailSink> {
  const letters: SunkLetter[] = []
  let refusals = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1
          done(Object.assign(new Error('busy'), { responseCode: 451 }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        letters.push({ to, from: mailFrom === false ? '' : mailFrom.address, ...read(Buffer.concat(chunks)) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    newestTo: (address) => letters.findLast(({ to }) => to.includes(address)),
    textsTo: (address) => letters.filter(({ to }) => to.includes(address)).map(({ text }) => text),
    refuse: (count) => {
      refusals = count
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Enough of MIME for letters of a text and an HTML part. */
function read(raw: Buffer): Pick<SunkLetter, 'subject' | 'type' | 'text' | 'html' | 'head'> {
  const letter = partOf(raw.toString('utf8'))
  const boundary = /boundary="([^"]+)"/.exec(letter.type)?.[1]
  const parts =
    boundary === undefined
      ? [letter]
      : letter.content
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => partOf(part))
  const contentOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content
  return {
    subject: /^subject: (.*)$/im.exec(letter.head)?.[1] ?? '',
    type: letter.type,
    text: contentOf('text/plain') ?? '',
    html: contentOf('text/html') ?? null,
    head: letter.head,
  }
}

function partOf(part: string) {
  const gap = part.indexOf('\r\n\r\n')
  const head = part.slice(0, gap).replaceAll(/\r\n[ \t]+/g, ' ')
  const body = part.slice(gap + 4)
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? 'text/plain'
  const quoted = /^content-transfer-encoding: quoted-printable$/im.test(head)
  return { head, type, content: quoted ? unquoted(body) : body }
}

function unquoted(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
