import type { AnswerEvent, Usage } from './call.ts'

/** An answer in the last steps: complete, or still arriving. */
export type AnswerFlow =
  | { readonly kind: 'whole'; readonly events: readonly AnswerEvent[] }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<AnswerEvent> }

/** The answer of a call, and the counts of its events as received. */
export interface CallAnswer {
  readonly flow: AnswerFlow | null
  /** The inspected answer before restoration, as far as it has arrived. */
  readonly inspected: AnswerEvent[]
  readonly usage: Usage | null
  /** The model named by the provider in the answer; null if it names none. */
  readonly answeredModel: string | null
  /** The provider's id of the answer, which is passed to the caller; null if there is none. */
  readonly answeredId: string | null
  /** Bytes of the answer's texts, as received. */
  readonly receivedBytes: number
  /** Whether a first part of the answer has been sent. */
  readonly released: boolean
}

export interface WithAnswer {
  readonly answer: CallAnswer
}

export function noAnswer(): CallAnswer {
  return {
    ...{ flow: null, inspected: [], usage: null, answeredModel: null, answeredId: null },
    ...{ receivedBytes: 0, released: false },
  }
}
