/** Texts of what a provider sent. Tested through upstream.ts. */
import type { EgressResponse } from '../../../kernel/egress/exchange.ts'

const maxErrorBytes = 65_536

export async function textOf(response: EgressResponse): Promise<string> {
  return new TextDecoder().decode(await response.bytes())
}

/** The beginning of an error body; a body that breaks or goes on for ever must not hide the status. */
export async function boundedText(response: EgressResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response.body) {
      pieces.push(piece)
      size += piece.length
      if (size > maxErrorBytes) break
    }
  } catch {
    // What came until then is enough to tell what the status already says.
  }
  return Buffer.concat(pieces).toString('utf8')
}
