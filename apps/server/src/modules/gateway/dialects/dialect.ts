/**
 * The answer side of a dialect: how the events of an answer are written in its form. The entry point of a call
 * (run-call.ts) decides when data may be sent; a writer only determines its format. Each dialect is a folder beside
 * this file.
 */
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo, Trailers } from '../../../kernel/module/route.ts'
import type { AnswerEvent } from '../call/call.ts'
import type { CallState } from '../pipeline/contract/call-parts.ts'

export interface WriterContext {
  readonly kernel: Pick<Kernel, 'clock' | 'config'>
  readonly info: RequestInfo
  /** Grows while a stream runs; its outcome is final only at the end of the stream. */
  readonly state: CallState
}

export interface AnswerWriter<Body> {
  /** The body of a complete answer. */
  whole(context: WriterContext, events: readonly AnswerEvent[]): Body
  /** Headers of a complete answer or of the beginning of a stream. */
  headers(context: WriterContext): Readonly<Record<string, string>>
  /** Headers of a refusal of the call, in addition to the error's own. */
  readonly errorHeaders: (context: WriterContext) => Readonly<Record<string, string>>
  /** Trailers at the end of a stream, and their names, which are sent before it. */
  trailers?(context: WriterContext): Trailers
  stream(context: WriterContext): StreamWriter
}

/** Writes one stream. Frames are complete, with the empty line that ends them. */
export interface StreamWriter {
  /**
   * The frames of one event. Those of `finish`, and of `usage` after one, mark the answer as complete: they are held
   * back until its outcome is stored, and sent before those of `end`.
   */
  push(event: AnswerEvent): readonly string[]
  /** Frames sent after the outcome was stored. */
  end(): readonly string[]
  /** Frames that replace the rest of the stream. */
  fail(problem: ProblemError): readonly string[]
  /** Sent during a long silence. */
  readonly keepAlive: string
}

/** One server-sent event. */
export function sseFrame(event: string | null, data: string): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${data}\n\n`
}
