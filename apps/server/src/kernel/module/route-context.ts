import type { Actor } from '../access/actor.ts'
import type { AbortWatch } from '../base/abort.ts'
import type { Tx } from '../db/port.ts'
import type { PageRequest } from '../db/table.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { Precondition } from '../http/answer/etag.ts'
import type { Kernel } from '../kernel.ts'
import type { RepeatableCall } from '../second-person/call.ts'
import type { ReceivedBytes, UploadedFile } from './upload.ts'

/** Names in braces of a path are its parameters. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParams<Rest>]: string }
  : Readonly<Record<never, string>>

export interface RequestInfo {
  readonly id: string
  readonly path: string
  readonly ip: string
  readonly userAgent: string | null
  readonly traceparent: string
  /** Aborts when the client goes away. */
  readonly signal: AbortWatch
  header(name: string): string | undefined
}

export interface RouteContext<S, Params, Query, Body> {
  /** The caller's tenant transaction; begins with its first statement, commits after the answer was made. */
  readonly tx: Tx
  readonly actor: Actor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Of routes that declare `upload`. */
  readonly upload: UploadedFile
  /** Of routes that declare `upload` as `memory`. */
  readonly received: ReceivedBytes
  /** Of list routes: where the page begins. */
  readonly page: PageRequest
  readonly services: S
  readonly kernel: Kernel
  readonly request: RequestInfo
  /** The caller's `If-Match`, for every change of a row: `hold` of the resource kit asks it. */
  readonly precondition: Precondition
  /** For acts that take two people: the call that the second person has to repeat. */
  readonly repeatable: RepeatableCall
}

/** A call that did not come as far as its handler. */
export interface Unread<S> {
  readonly actor: Actor
  readonly services: S
  readonly request: RequestInfo
  readonly problem: ProblemError
}
