/**
 * Reads a stored log piece by piece in a thread while the next piece is fetched. Promises that its memory does not grow
 * with the log and that the event loop is held for one piece's result at most. Tested in ingestion.test.ts.
 */

import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { errors } from '../../errors/errors.ts'
import type { PieceResult } from '../matching/match-lines.ts'
import { type LogPiece, type PieceFault, readPiece } from '../matching/read-piece.ts'
import { linePieces } from './pieces.ts'
import { addPiece, type LogTotals, noTotals } from './totals.ts'

/** Bytes of a piece: some thousand lines, whose result the event loop takes in a few milliseconds. */
const pieceBytes = 1_048_576
const bounds = { services: 5_000, uses: 200_000 }
const mostUnreadable = 0.2

export type LogReading = Pick<LogPiece, 'format' | 'options' | 'entries' | 'notAfter'>

/** @throws AEGIS-012 for a log that is not of its format, or of whose lines more than a fifth cannot be read */
export async function readLog(
  { threads }: Pick<Kernel, 'threads'>,
  content: AsyncIterable<Uint8Array>,
  reading: LogReading,
): Promise<LogTotals> {
  const totals = noTotals()
  let headers: readonly string[] = []
  let running: Promise<PieceResult> | null = null
  const settle = async (): Promise<void> => {
    if (running === null) return
    const result = await running
    running = null
    headers = result.headers
    if (!addPiece(totals, result, bounds)) throw tooManyServices()
  }
  try {
    for await (const bytes of linePieces(content, pieceBytes)) {
      await settle()
      running = runPiece(threads, { ...reading, bytes, headers })
      // It is awaited with the next piece; until then nothing handles its failure.
      running.catch(() => undefined)
    }
    await settle()
  } finally {
    await Promise.resolve(running).catch(() => undefined)
  }
  refuseUnreadable(totals)
  return totals
}

async function runPiece(threads: Kernel['threads'], piece: LogPiece): Promise<PieceResult> {
  const result = await threads.run(readPiece, piece, { transfer: [piece.bytes.buffer] })
  if ('fault' in result) throw faultProblem(result.fault)
  return result
}

export function faultProblem({ message, parameter }: PieceFault): ProblemError {
  const problem = errors.unreadable({ what: message })
  return parameter === null ? problem : problem.at([{ detail: message, pointer: `?${parameter}` }])
}

const tooManyServices = (): ProblemError =>
  errors.unreadable({
    what: `The log names more than ${bounds.services} AI services. Check the format and the column map.`,
  })

/** @throws AEGIS-012 */
function refuseUnreadable({ parsed, failed, samples }: LogTotals): void {
  if (parsed === 0 && failed === 0) throw errors.unreadable({ what: 'The log has no lines.' })
  if (failed <= mostUnreadable * (parsed + failed)) return
  const percent = Math.floor((100 * failed) / (parsed + failed))
  throw errors
    .unreadable({
      what: `${failed} of ${parsed + failed} lines (${percent} %) cannot be read in this format; at most 20 % may be unreadable. Nothing was stored. Check the parameter format.`,
    })
    .at(samples.map((line) => ({ detail: `Unreadable line: ${storable(line)}` })))
}

/** Lines of a log of another format may hold anything. */
export const storable = (line: string): string => line.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD')
