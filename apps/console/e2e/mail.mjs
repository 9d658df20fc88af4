/** A mail relay that keeps the letters, and the links in them. */
import { createRequire } from 'node:module'

// A package of the server's own tests.
const { SMTPServer } = createRequire(new URL('../../server/package.json', import.meta.url))('smtp-server')

const withinMs = 20_000
const pauseMs = 100

export async function openMail() {
  const letters = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        letters.push({ to, text: unfolded(Buffer.concat(chunks).toString('utf8')) })
        done()
      })
    },
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}?starttls=off`,
    /** The newest link to this path that this address got. */
    link: async (address, path) => {
      const pattern = new RegExp(`https?://[^\\s"<>#]+/${path}#[\\w.~-]+`)
      const end = Date.now() + withinMs
      for (;;) {
        const letter = letters.findLast(({ to, text }) => to.includes(address) && pattern.test(text))
        if (letter !== undefined) return pattern.exec(letter.text)[0]
        if (Date.now() > end) throw new Error(`no letter with a link to ${path} came to ${address}`)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Quoted-printable without its line breaks. */
const unfolded = (text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
