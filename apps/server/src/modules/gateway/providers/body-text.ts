/** Texts sent by a provider. Tested through upstream.ts. */
import type { EgressResponse } from '../../../kernel/egress/exchange.ts'
import { afterLong } from '../call/texts/long-turn.ts'

const maxErrorBytes = 65_536

/** Of a body that did not come to its end: the bytes that came, or its announced length, which the sender had by then. */
export interface CutBody {
  readonly bytes: number
  readonly isAnnounced: boolean
}

export async function textOf(response: EgressResponse): Promise<string> {
  const bytes = await response.bytes()
  await afterLong(bytes.byteLength)
  return new TextDecoder().decode(bytes)
}

/** As `textOf`; tells how much there was of a body that does not come to its end. */
export async function wholeText(response: EgressResponse, cutOff?: (body: CutBody) => void): Promise<string> {
  try {
    return await textOf(response)
  } catch (error) {
    const announced = Number(response.headers['content-length'] ?? 0)
    const isAnnounced = announced > 0
    cutOff?.({ bytes: isAnnounced ? announced : response.received(), isAnnounced })
    throw error
  }
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
    // The text received so far is enough to explain the status.
  }
  return Buffer.concat(pieces).toString('utf8')
}
