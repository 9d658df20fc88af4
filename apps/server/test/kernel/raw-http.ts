import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends bytes as they are and gives every answer that came back until the server closed the connection. A client
 * library would tidy up exactly what these tests are about. With `thatIsAll` our side is closed after the last byte, so
 * that a server which waits for more does not wait for ever.
 */
export async function sendRaw(port: number, bytes: string, thatIsAll = false): Promise<readonly RawAnswer[]> {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const chunks: Buffer[] = []
    socket.on('connect', () => (thatIsAll ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')))
    socket.on('data', (chunk) => chunks.push(chunk))
    // A reset after the answer is how a server that has heard enough says goodbye.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
  return answersIn(text)
}

/** One request with the headers a careful client sends. */
export function request(method: string, target: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'parapet.example', connection: 'close', ...headers })
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** The answers that stand in what came back. */
export function answersIn(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    answers.push({ status: Number(line.split(' ')[1]), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
