/** Outside classifiers on a local port, one for each path, that are scripted by a test and record their requests. */
import { createServer, type ServerResponse } from 'node:http'

export type Judge = (texts: readonly string[], response: ServerResponse) => void

export interface ClassifierServer {
  readonly url: string
  /** Texts that came in, request by request. */
  readonly seen: string[][]
  readonly authorizations: (string | undefined)[]
  judge(judge: Judge): void
  close(): Promise<void>
}

/** Each text gets a score. */
export const scores =
  (scoreOf: (text: string) => number): Judge =>
  (texts, response) => {
    response.end(JSON.stringify({ scores: texts.map(scoreOf) }))
  }

export async function openClassifierServer(): Promise<ClassifierServer> {
  const seen: string[][] = []
  const authorizations: (string | undefined)[] = []
  let judge: Judge = scores(() => 0)
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { inputs } = JSON.parse(Buffer.concat(pieces).toString()) as { inputs: string[] }
    seen.push(inputs)
    authorizations.push(request.headers.authorization)
    judge(inputs, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    seen,
    authorizations,
    judge: (next) => {
      judge = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
