/** States of a risk and the legal moves between them (process of ISO 31000:2018). Pure. Tested in states.test.ts. */
export const states = [
  'draft',
  'identified',
  'analyzed',
  'evaluated',
  'treating',
  'accepted',
  'monitoring',
  'closed',
] as const
export type State = (typeof states)[number]

const moves: Readonly<Record<State, readonly State[]>> = {
  draft: ['identified'],
  identified: ['analyzed'],
  analyzed: ['evaluated'],
  evaluated: ['treating', 'accepted'],
  treating: ['monitoring'],
  accepted: ['evaluated'],
  monitoring: ['evaluated', 'closed'],
  closed: ['identified'],
}

/** The states that a risk may move to next. */
export const movesFrom = (state: State): readonly State[] => moves[state]
