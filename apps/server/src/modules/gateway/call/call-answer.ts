import type { AnswerEvent, Usage } from './call.ts'

/** An answer on its way through the last steps: complete, or still coming. */
export type AnswerFlow =
  | { readonly kind: 'whole'; readonly events: readonly AnswerEvent[] }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<AnswerEvent> }

/** The answer of a call, and the counts of its events as they came. */
export interface CallAnswer {
  readonly flow: AnswerFlow | null
  /** The answer as inspected and not yet restored, as far as it came. */
  readonly inspected: AnswerEvent[]
  readonly usage: Usage | null
  /** The model its provider says gave the answer; null where it says nothing. */
  readonly answeredModel: string | null
  /** The id its provider gave the answer, which the caller is given as well; null where it gave none. */
  readonly answeredId: string | null
  /** Of the texts of the answer, as they came. */
  readonly receivedBytes: number
  /** A first part of the answer has left. */
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
